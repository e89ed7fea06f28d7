/* subject_c.c - see subject_c.h */
#include "subject/c/subject_c.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/source.h"
#include "rt/detect/opaque.h"
#include "rt/inputs/goals.h"
#include "rt/kernel/node.h"
#include "rt/program/contents.h"
#include "rt/actors/actor_mail.h"
#include "rt/program/program_c.h"
#include "rt/weak/order.h"
#include "subject/c/coverage.h"
#include "subject/c/record_c.h"
#include "subject/c/repair_c.h"
#include "subject/c/summary_c.h"
#include "subject/c/tests.h"

/* ---- Which program -------------------------------------------------------------- */

static const char *const actor_functions[] = {"sennit_spawn", "sennit_run", "sennit_send", "sennit_send_tag",
                                              "sennit_send_on", "sennit_broadcast", NULL};
static const char *const fault_functions[] = {"sennit_lose", "sennit_duplicate", "sennit_crash", NULL};
/* Which also send the datagrams of sockets. */
static const char *const datagram_functions[] = {"socket", NULL};
static const char *const connection_functions[] = {"connect", NULL};
static const char *const thread_functions[] = {"pthread_create", "thrd_create", NULL};
static const char *const condition_functions[] = {"pthread_cond_wait", "pthread_cond_timedwait",
                                                  "pthread_cond_clockwait", "cnd_wait", "cnd_timedwait", "syscall",
                                                  "__sennit_system_call", NULL};

/* States, of which they are, exist in an order of all steps only. */
static const char *const property_functions[] = {"sennit_declare", NULL};
static const char PROPERTIES[] = "properties of states";

static const char *const barrier_functions[] = {"pthread_barrier_wait", NULL};

/* What is not modelled in the nodes of a cluster. */
static bool check_nodes(const Options *options, Error *error)
{
    if (!node_count())
        return true;
    if (contents_calls(actor_functions))
        return error_set(error, EXIT_USAGE, "a node of the cluster has actors: only programs without can be nodes");
    if (options->sym_args.most || options->sym_stdin || *options->sym_file || options->unset)
        return error_set(error, EXIT_USAGE, "a cluster with symbolic inputs is not supported");
    bool mortal = false;
    for (unsigned node = 1; node <= node_count(); node++)
        mortal |= !node_get(node)->client;
    if (options->crash && !mortal)
        return error_set(error, EXIT_USAGE, "--crash: clients do not crash, and all nodes of the cluster are clients");
    return true;
}

/* Options that would have no effect on this program. */
static bool check_contents(const Options *options, Error *error)
{
    const char *faults = options_changed(options, ONLY_ACTORS);
    if (faults && !node_count() && !contents_calls(actor_functions) && !contents_calls(datagram_functions))
        return error_set(error, EXIT_USAGE, "--%s is for programs with actors, and this one has none", faults);
    if (options->crash && !contents_calls(actor_functions) && !node_count())
        return error_set(error, EXIT_USAGE, "--crash is for programs with actors and for clusters; this is neither");
    if (options->reset && !contents_calls(connection_functions))
        return error_set(error, EXIT_USAGE, "--reset is for programs that connect sockets, and this one does not");
    if (options->short_reads && !contents_calls(connection_functions))
        return error_set(error, EXIT_USAGE, "--short is for programs that connect sockets, and this one does not");
    bool at_once = options->delivery == DELIVERY_AT_ONCE || (options->delivery == DELIVERY_AUTO && !node_count());
    if (options->short_reads && at_once)
        return error_set(error, EXIT_USAGE, "--short needs --delivery=late");
    if (options->partition && node_count() < 2)
        return error_set(error, EXIT_USAGE, "--partition is for clusters of several nodes, and this is none");
    if (options->partition && at_once)
        return error_set(error, EXIT_USAGE, "--partition needs --delivery=late");
    if (options->delivery != DELIVERY_AUTO && !contents_calls(connection_functions))
        return error_set(error, EXIT_USAGE, "--delivery is for programs that connect sockets, and this one does not");
    if (options->max_children && !contents_calls(thread_functions))
        return error_set(error, EXIT_USAGE,
                         "--max-children is for programs that create threads, and this one creates none");
    if (options->spurious && !contents_calls(condition_functions))
        return error_set(error, EXIT_USAGE,
                         "--spurious is for programs that wait for condition variables, and this one does not");
    if (options->weak_cas == WEAK_CAS_ON && !order_weak_exchange_in_program())
        return error_set(error, EXIT_USAGE,
                         "--weak-cas is for programs with weak compare-and-exchanges, and this one has none");
    if (options->barriers == BARRIERS_ORDERED && !contents_calls(barrier_functions))
        return error_set(error, EXIT_USAGE, "--barriers is for programs with barriers, and this one has none");
    if (options->unroll && !contents_has_flag("unroll"))
        return error_set(error, EXIT_USAGE, "--unroll: the program was not compiled with sennit cc --unroll");
    if (options->checks & CHECK_SCOPE && !contents_has_flag("scope"))
        return error_set(error, EXIT_USAGE, "--check=scope: the program was not compiled with sennit cc --scope");
    return true;
}

/* What --memory=auto stands for. Atomic operations that are all seq_cst mean the same under each model. */
static void choose_memory(RunInfo *info)
{
    Options *options = &info->options;
    bool weak = order_weak_in_program() || options->plain == PLAIN_VOLATILE_ATOMIC;
    bool searches = options->task != TASK_PLAIN && options->task != TASK_DEADLOCK;
    const char *hindrance = options_needing_sc(options);
    if (weak && !hindrance && options->memory == MEMORY_AUTO && contents_calls(property_functions))
        hindrance = PROPERTIES;
    if (options->memory != MEMORY_AUTO)
        return;
    info->memory_chosen = true;
    options->memory = weak && searches && !hindrance ? MEMORY_RC11 : MEMORY_SC;
    if (weak && hindrance) {
        Text why = {0};
        text_add(&why, hindrance == PROPERTIES ? "%s need --memory=sc" : "--%s needs --memory=sc", hindrance);
        free(options->memory_why);
        options->memory_why = mem_copy_string(why.data);
        text_release(&why);
    }
}

static bool identify(RunInfo *info, Error *error)
{
    char path[PATH_MAX];
    if (!options_check(&info->options, PROGRAM_C, info->options.task == TASK_DEADLOCK ? USE_DEADLOCK : 0, error) ||
        !check_nodes(&info->options, error) || !check_contents(&info->options, error))
        return false;
    choose_memory(info);
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size < 0)
        return error_set(error, EXIT_INTERNAL, "cannot find this program's file: %s (is /proc mounted?)",
                         strerror(errno));
    path[size] = '\0';
    info->program = mem_copy_string(path);
    prctl(PR_SET_NAME, source_base_name(path)); /* after exec it would be called "exe" */
    return trace_hash_file("/proc/self/exe", info->hash, error);
}

/* ---- Opening it -------------------------------------------------------------------- */

static uint32_t whole_seconds(double seconds)
{
    return seconds < 1 ? 1 : seconds > 1e6 ? 1000000 : (uint32_t)seconds;
}

__attribute__((noinline)) void sennit_replay_step(uint32_t position)
{
    __asm__ volatile("" : : "r"(position) : "memory");
}

__attribute__((noinline)) void sennit_replay_bug(const char *text)
{
    __asm__ volatile("" : : "r"(text) : "memory");
}

enum { MAX_FILES = 16 };

/* "name=8,other=3". Files and names live as long as the process. */
static bool read_files(const char *text, RtInputFile *files, uint32_t *count, Error *error)
{
    char *rest = mem_copy_string(text), *word;
    for (*count = 0; (word = strsep(&rest, ","));) {
        char *equals = strrchr(word, '='), *end = NULL;
        if (!*word)
            continue;
        unsigned long long size = equals ? strtoull(equals + 1, &end, 10) : 0;
        if (!equals || equals == word || *end || !equals[1] || size > 1000000 || *count == MAX_FILES)
            return error_set(error, EXIT_USAGE, "--sym-file=%s: expected NAME=N, with at most a million bytes", text);
        *equals = '\0';
        files[(*count)++] = (RtInputFile){word, size};
    }
    return true;
}

CHOICE_MATCHES(channels, CHANNELS_);
CHOICE_MATCHES(delivery, DELIVERY_);
CHOICE_MATCHES(restore, RESTORE_);

static Program *open_program(const RunInfo *info, Region *region, StagePurpose purpose, bool fragile, Error *error)
{
    const Options *options = &info->options;
    bool shows = purpose == STAGE_REPLAY || purpose == STAGE_DEBUG;
    RtInputFile *files = mem_alloc(MAX_FILES * sizeof *files);
    RtOptions wanted = {
        .argc = info->argc,
        .argv = info->argv,
        .envp = environ,
        .plain_visible = options->plain == PLAIN_VISIBLE,
        .volatile_atomic = options->plain == PLAIN_VOLATILE_ATOMIC,
        .spurious = options->spurious,
        .weak_cas = options->weak_cas == WEAK_CAS_ON,
        .barriers_ordered = options->barriers == BARRIERS_ORDERED,
        .channels = options->channels,
        .delivery = options->delivery,
        .symmetry = options->symmetry,
        .macro_steps = options->reduction == REDUCTION_NONE,
        .max_lost = (uint32_t)options->lose,
        .max_duplicated = (uint32_t)options->duplicate,
        .max_crashed = (uint32_t)options->crash,
        .max_reset = (uint32_t)options->reset,
        .max_short = (uint32_t)options->short_reads,
        .max_partitions = (uint32_t)options->partition,
        .fault_rules = contents_calls(fault_functions),
        .max_timeouts = (uint32_t)options->timeouts,
        .check_leak = options->checks & CHECK_LEAK,
        .unset = options->unset,
        .check_overflow = options->checks & CHECK_OVERFLOW,
        .ignore_exit_code = options->any_exit_code || purpose == STAGE_PLAIN,
        .isolate = (options->isolate == ISOLATE_FORK && !shows && purpose != STAGE_PLAIN) || fragile,
        .restore = options->restore,
        .verbose = shows,
        .on_step = purpose == STAGE_DEBUG ? sennit_replay_step : NULL,
        .on_bug = purpose == STAGE_DEBUG ? sennit_replay_bug : NULL,
        .show_output = shows || purpose == STAGE_PLAIN,
        .solver = options->solver,
        .solver_timeout_ms = (uint32_t)(options->solver_time * 1000),
        .smtlib = *options->smtlib ? options->smtlib : NULL,
        .max_rounds = options->unroll > UINT32_MAX ? UINT32_MAX : (uint32_t)options->unroll,
        .max_inputs = options->max_inputs > UINT32_MAX ? UINT32_MAX : (uint32_t)options->max_inputs,
        .max_children = options->max_children > UINT32_MAX ? UINT32_MAX : (uint32_t)options->max_children,
        .max_processes = options->max_processes > UINT32_MAX ? UINT32_MAX : (uint32_t)options->max_processes,
        .min_args = options->sym_args.least,
        .max_args = options->sym_args.most,
        .arg_size = options->sym_args.size,
        .stdin_size = options->sym_stdin,
        .files = files,
        .states = options->reduction == REDUCTION_STATES && purpose != STAGE_PLAIN,
        .hang_seconds = whole_seconds(options->max_step_time),
    };
    if (!read_files(options->sym_file, files, &wanted.file_count, error))
        return NULL;
    Program *program = program_c_create(region, &wanted, error);
    if (program)
        program->memory = (MemoryModel)options->memory;
    return program;
}

static bool knows_states(const Program *program, const RunInfo *info)
{
    (void)program;
    (void)info;
    return program_c_knows_states();
}

static bool refuses(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == RT_EXIT_NOT_MODELLED;
}

const Subject subject_c = {
    .agent = "thread",
    .agents = "threads",
    .version = "build",
    .may_crash = true,
    .identify = identify,
    .open = open_program,
    .inspect = inspect_c,
    .describe_end = tests_describe_end,
    .mail = actor_mail_of,
    .run_deadlock = task_deadlock,
    .refuses = refuses,
    .refusal = program_c_message,
    .needs_sc = program_c_needs_sc,
    .repair = repair_c,
    .each_opaque = opaque_each,
    .run_plain = task_plain,
    .each_goal = goals_each,
    .knows_states = knows_states,
    .summarise = summary_c_add,
    .show_end = tests_show_end,
    .record_create = tests_create,
    .record_execution = tests_note,
    .record_forget = tests_forget,
    .record_write = record_c_write,
    .record_read = record_c_read,
    .record_report = tests_report,
    .record_save = tests_save,
    .read_coverage = coverage_read,
    .count_branches = coverage_count_branches,
};
