/* program_c.c - see program_c.h */
#include "rt/program/program_c.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "rt/actors/actor.h"
#include "rt/actors/actor_fault.h"
#include "rt/actors/actor_mail.h"
#include "rt/actors/fault_rule.h"
#include "rt/detect/busiest.h"
#include "rt/detect/cover.h"
#include "rt/detect/crash.h"
#include "rt/detect/deadlock.h"
#include "rt/detect/leak.h"
#include "rt/detect/names.h"
#include "rt/detect/race.h"
#include "rt/detect/shared.h"
#include "rt/detect/stack.h"
#include "rt/detect/unseen.h"
#include "rt/detect/watchdog.h"
#include "rt/inputs/goals.h"
#include "rt/inputs/input_text.h"
#include "rt/inputs/rerun.h"
#include "rt/inputs/tracking.h"
#include "rt/file/files.h"
#include "rt/io/input_file.h"
#include "rt/io/directory.h"
#include "rt/io/open_file.h"
#include "rt/kernel/agents.h"
#include "rt/kernel/calls.h"
#include "rt/kernel/fpenv.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/node.h"
#include "rt/kernel/object.h"
#include "rt/kernel/process.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/libc/input_args.h"
#include "rt/libc/libc.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory.h"
#include "rt/memory/pages.h"
#include "rt/memory/redzone.h"
#include "rt/program/lasso.h"
#include "rt/program/nodes.h"
#include "rt/program/process_memory.h"
#include "rt/program/restore.h"
#include "rt/program/restore_check.h"
#include "rt/program/state_c.h"
#include "rt/spin/spin.h"
#include "rt/spin/spin_reads.h"
#include "rt/sync/keys.h"
#include "rt/sync/observe.h"
#include "rt/detect/property.h"
#include "rt/sync/vtime.h"
#include "rt/weak/weak_step.h"
#include "rt/weak/weak_volatile.h"

typedef struct ProgramC {
    Program program;     /* first: this is one */
    ProgramOps ops;
    RtShared *shared;
} ProgramC;

/* ---- One execution --------------------------------------------------------------- */

/* Signal handlers and the timer belong to a process: a page that is wiped on fork shows when
 * to install them again. */
static bool *process_is_ready;

static void prepare_process(void)
{
    if (LIKELY(*process_is_ready))
        return;
    *process_is_ready = true;
    rt.errno_location = &errno;
    crash_init();
    watchdog_init(rt.options.hang_seconds);
}

/* Once in 2^32 executions everything marked with an execution number must be wiped. */
static void next_execution(void)
{
    if (UNLIKELY(++rt.execution == 0)) {
        race_clear();
        pages_clear();
        object_clear();
        rt.execution = 1;
    }
}

static void reset_state(Execution *ex)
{
    execution_reset(ex);
    next_execution();
    globals_restore();
    memory_reset();
    redzone_reset();
    transient_reset();
    object_reset();
    spin_reset();
    vtime_reset();
    actor_reset();
    observe_reset();
    lasso_reset();
    shared_reset();
    race_reset();
    weak_reset();
    weak_volatile_reset();
    cover_reset();
    open_file_reset();
    directory_reset();
    files_reset();
    node_reset();
    process_reset();
    libc_reset();
    fpenv_reset();
    if (UNLIKELY(rt.options.verbose))
        stack_reset();
}

static void adopt_plan(Execution *ex)
{
    rt.ex = ex;
    rt.events = ex->events;
    rt.accesses = ex->accesses;
    rt.agents = ex->agents;
    rt.plan = ex->plan;
    rt.plan_length = ex->plan_length;
    rt.look = rt.options.states ? lasso_look : NULL; /* each step is decided */
    rt.slice_end = 0;
    rt.stop_at = ex->stop_after_plan ? ex->plan_length : UINT32_MAX;
    rt.max_steps = ex->max_agent_steps ? ex->max_agent_steps : UINT32_MAX;
    rt.last = AGENT_NONE;
    rt.main_frame = 0;
    rt.frame = (CallFrame){0}; /* the execution before may have ended anywhere */
    rt.starter = NULL;
    rt.stopped_agents = rt.halted_agents = rt.begins_again = rt.over = rt.detours = false;
    rt.waits_past_bound = 0;
    rt.cycle_found = false;
    rt.quiet_waiters = 0;
    memset(rt.pending, 0, sizeof rt.pending[0]);
}

static void main_body(void *argument)
{
    (void)argument;
    int argc = rt.options.argc;
    char **argv = rt.options.argv;
    sennit_rt_site = NULL; /* decisions made here have no place in the program */
    if (node_count())
        nodes_run();
    input_file_begin();
    input_args_begin(&argc, &argv);
    keys_begin();
    property_begin();
    int status = sennit_user_main(argc, argv, rt.options.envp);
    rt.main_frame = address_of(__builtin_frame_address(0));
    libc_return(status);
    frame_end(FRAME_MAIN_OVER, (uint64_t)status);
    actor_leave_main();
    libc_exit(status);
}

/* Under weak memory: has a loop stopped only because it has read too early? The search has it read what came later. */
static bool stopped_too_early(const Execution *ex)
{
    for (uint32_t i = 0; ex->memory != MEMORY_SC && i < ex->blocked_count; i++)
        if (spin_reads_outdated(thread_get(ex->blocked[i].agent)))
            return true;
    return false;
}

static void check_end(Execution *ex)
{
    if (ex->end == END_DIVERGED)
        return;
    scheduler_list_blocked();
    if (ex->end == END_COMPLETE && (scheduler_holds_up() || rt.detours || stopped_too_early(ex)))
        ex->end = END_ABANDONED;
    if (ex->end != END_COMPLETE)
        return;
    scheduler_fail_assumptions();
    if (ex->end != END_COMPLETE)
        return;
    deadlock_check_end();
    actor_check_end();
    observe_check_end();
    actor_count_symmetric();
    actor_fault_note_all();
    if (rt.options.check_leak && ex->blocked_count == ex->idle_count && !thread_end_unknown())
        leak_check();
}

/* No inputs were found for the plan: nothing is run. */
static void give_up(Execution *ex)
{
    execution_reset(ex);
    ex->end = END_ABANDONED;
}

static bool begins_again(Execution *ex)
{
    if (LIKELY(!tracking.restart && !rt.begins_again))
        return false;
    if (ex->picker && ex->picker->restarted)
        ex->picker->restarted(ex->picker);
    return true;
}

/* The threads were left without an end of the execution: code of one ran as another's. */
static void check_left(Execution *ex)
{
    if (LIKELY(ex->end != END_RUNNING))
        return;
    Finding *finding = execution_add_finding(ex, BUG_CRASH);
    snprintf(finding->text, sizeof finding->text, "the program continues in the wrong thread");
    ex->end = END_CRASHED;
}

static void run_anew(Execution *ex)
{
    reset_state(ex);
    adopt_plan(ex);
    scheduler_run(main_body);
}

static void run_on(Execution *ex)
{
    adopt_plan(ex);
    restore_run(ex);
    if (LIKELY(!restore_is_checked(ex)))
        return;
    restore_begin_check(ex);
    run_anew(ex);
    restore_check_compare(ex);
    ex->restored = true;
}

static void run_here(Execution *ex)
{
    prepare_process();
    do {
        if (UNLIKELY(!tracking_begin(ex))) {
            give_up(ex);
            return;
        }
        if (restore_find(ex))
            run_on(ex);
        else
            run_anew(ex);
        restore_end(ex);
    } while (begins_again(ex));
    check_left(ex);
    rerun_settle();
    check_end(ex);
    busiest_note(ex);
    ex->did_new = cover_collect();
    unseen_collect();
}

/* The child shares the execution; its other changes are lost with it. */
static void run_isolated(Execution *ex)
{
    int status = 0;
    execution_reset(ex);
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        run_here(ex);
        fflush(NULL);
        _exit(0);
    }
    if (child < 0) {
        run_here(ex);
        return;
    }
    tracking.solved = false; /* the child has used it */
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && (WEXITSTATUS(status) == RT_EXIT_NOT_MODELLED || WEXITSTATUS(status) == MEM_EXIT_EXHAUSTED))
        _exit(WEXITSTATUS(status));
    if (ex->end == END_RUNNING)
        ex->end = END_CRASHED;
}

static void run(Program *self, Execution *ex)
{
    (void)self;
    if (UNLIKELY(rt.options.isolate))
        run_isolated(ex);
    else
        run_here(ex);
}

/* ---- Names ------------------------------------------------------------------------- */

static bool is_enabled(Program *self, AgentId agent)
{
    (void)self;
    if (agent >= rt.ex->agent_count || !scheduler_is_enabled(thread_get(agent)))
        return false;
    AgentId local = rt.options.macro_steps ? actor_local_step() : AGENT_NONE;
    return local == AGENT_NONE || local == agent;
}

static bool waits(Program *self, AgentId agent, Access *guard)
{
    (void)self;
    if (agent >= rt.ex->agent_count || !scheduler_waits_weakly(thread_get(agent)))
        return false;
    *guard = thread_get(agent)->pending.accesses[0];
    return true;
}

static bool may_conflict(Program *self, AgentId agent, const Execution *ex, const Event *event)
{
    (void)self;
    const Thread *thread = thread_get(agent);
    if (thread->state != THREAD_PENDING || thread->pending.flags & EVENT_OPAQUE)
        return true;
    for (unsigned i = 0; i < thread->pending.count; i++)
        for (uint32_t k = 0; k < event->access_count; k++)
            if (accesses_may_conflict(&thread->pending.accesses[i], &ex->accesses[event->first_access + k]))
                return true;
    return false;
}

static void agent_name(Program *self, AgentId agent, char *text, size_t size)
{
    (void)self;
    name_agent(agent, text, size);
}

static void resource_name(Program *self, uint64_t resource, uint8_t lanes, char *text, size_t size)
{
    (void)self;
    name_resource(resource, lanes, text, size);
}

static void step_text(Program *self, uint16_t op, const Access *accesses, uint32_t count, char *text, size_t size)
{
    (void)self;
    name_step(op, accesses, count, text, size);
}

static bool place(Program *self, uint64_t site, Place *result)
{
    const SennitSite *source = (const SennitSite *)(uintptr_t)site;
    (void)self;
    if (!source || !source->file)
        return false;
    *result = (Place){source->file, source->function, source->line, source->column};
    return true;
}

static void agent_path(Program *self, AgentId agent, char *text, size_t size)
{
    (void)self;
    agents_path(agent, text, size);
}

static AgentId agent_find(Program *self, const char *path)
{
    (void)self;
    return agents_find(path);
}

static bool agent_number(Program *self, const char *path, AgentId number)
{
    (void)self;
    return agents_number(path, number);
}

static bool holds(Program *self, uint64_t guard, const int64_t *values, uint32_t count)
{
    (void)self;
    for (uint32_t i = 0; i < count; i++)
        if (!actor_guard_holds(guard, values[i]))
            return false;
    return true;
}

static bool mail(Program *self, AgentId agent, Mail *result)
{
    (void)self;
    return actor_mail(agent, result);
}

static void condition_text(Program *self, uint32_t condition, char *text, size_t size)
{
    (void)self;
    archive_print(tracking.archive, condition, text, size);
}

static bool written(Program *self, const Execution *ex, uint32_t event, int64_t read, int64_t *value)
{
    (void)self;
    return weak_written(ex, event, read, value);
}

/* ---- Lifecycle ------------------------------------------------------------------------ */

static const ProgramOps ops = {.run = run, .enabled = is_enabled, .waits = waits, .may_conflict = may_conflict,
                               .agent_name = agent_name, .resource_name = resource_name, .step_text = step_text,
                               .place = place, .agent_path = agent_path, .agent_find = agent_find,
                               .agent_number = agent_number, .guard_holds = holds, .mail = mail, .written = written};

/* A program without inputs and faults does not have these operations. */
static void choose_ops(ProgramC *self)
{
    self->ops = ops;
    self->program.ops = &self->ops;
    if (tracking.on) {
        self->ops.each_input = input_text_each;
        self->ops.set_input = input_text_set;
        self->ops.forget_inputs = input_text_forget;
        self->ops.condition_text = condition_text;
        self->ops.solve = tracking_solve;
    }
    if (rt.options.states) {
        self->ops.fingerprint = state_c_fingerprint;
        self->ops.alias = state_c_alias;
        self->ops.local = state_c_local;
        self->ops.open = state_c_open;
        self->ops.idle = state_c_idle;
    }
    if (tracking.on || rt.options.fault_rules || fault_rule_possible())
        self->ops.feasible = tracking_feasible;
}

static bool init_process_flag(Error *error)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || madvise(page, 4096, MADV_WIPEONFORK) != 0)
        return error_set(error, EXIT_INTERNAL, "this kernel cannot wipe memory on fork (Linux 4.14 is needed)");
    process_is_ready = page;
    return true;
}

Program *program_c_create(Region *region, const RtOptions *options, Error *error)
{
    uint64_t begin, end;
    ProgramC *self = region_alloc(region, sizeof *self);
    self->shared = region_alloc(region, sizeof *self->shared);
    rt.options = *options;
    rt.plain_visible = options->plain_visible;
    rt.shared = self->shared;
    if (options->states && !state_c_check(error))
        return NULL;
    agents_init(self->shared);
    if (!tracking_init(error))
        return NULL;
    fault_rule_init(region);
    actor_fault_init(region);
    choose_ops(self);
    libc_init();
    if (options->verbose)
        stack_init();
    cover_init(region);
    unseen_init(region);
    shared_init(region);
    goals_init(region);
    files_init();
    open_file_init();
    input_file_init();
    input_args_init();
    process_memory_init();
    transient_init();
    object_init();
    if (!nodes_init(error))
        return NULL;
    globals_init(&begin, &end);
    if (!init_process_flag(error) || !memory_init(error) || !thread_init(error) || !race_init(begin, end, error) ||
        !redzone_init(begin, end, error) || !restore_init(error))
        return NULL;
    return &self->program;
}

uint64_t program_c_deep_stacks(uint64_t *site)
{
    *site = rt.shared->deep_site;
    return rt.shared->deep_stacks;
}

RtMarks program_c_marks(unsigned which)
{
    RtMarks marks;
    marks.bytes = which == 0   ? cover_map(&marks.size)
                  : which == 1 ? goals_map(&marks.size)
                               : unseen_map(&marks.size);
    return marks;
}

bool program_c_knows_states(void)
{
    Error ignored;
    return calls_are_listed() && state_c_check(&ignored) && !tracking.on && !node_count();
}

const char *program_c_message(const Program *program)
{
    return ((const ProgramC *)program)->shared->message;
}

bool program_c_needs_sc(const Program *program) { return strstr(program_c_message(program), "--memory=sc") != NULL; }
