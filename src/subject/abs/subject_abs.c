/* subject_abs.c - an ABS model as a subject of the app */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abs/check/check.h"
#include "abs/program/program_abs.h"
#include "app/tasks/app.h"
#include "base/map.h"
#include "base/mem.h"
#include "deadlock/killers.h"
#include "report/source.h"
#include "subject/abs/explored_suite.h"
#include "subject/abs/model.h"
#include "subject/abs/model_internal.h"
#include "subject/abs/models.h"

/* ---- Which model ------------------------------------------------------------------ */

bool model_is_file(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".abs") == 0;
}

bool model_is_given(const char *path)
{
    struct stat info;
    return model_is_file(path) || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

/* A hash of the contents of all files, without their names. */
static bool hash_files(RunInfo *info, Error *error)
{
    uint64_t sum = 0;
    for (int i = 1; i < info->argc; i++) {
        char hash[17];
        if (!trace_hash_file(info->arguments[i], hash, error))
            return false;
        sum = map_mix(sum, strtoull(hash, NULL, 16));
    }
    snprintf(info->hash, sizeof info->hash, "%016llx", (unsigned long long)sum);
    return true;
}

static bool has_policy(const Options *options)
{
    return options->tasks == TASKS_FIFO || options->tasks == TASKS_LIFO || options->objects.policy != OBJECTS_ANY;
}

static bool compares_states(const Options *options)
{
    return options->reduction == REDUCTION_STATES ||
           (options->dependence == DEPENDENCE_BY_EXACT && options->reduction == REDUCTION_OPTIMAL);
}

/* By default a search continues after a bug, so that all final states are seen. Policies restrict schedules in a way
 * that no reduction takes into account. */
static void settle_options(Options *options)
{
    options->keep_going = !options->first_bug;
    if (options->task == TASK_DEADLOCK)
        options->tasks = TASKS_NONDET; /* the analysis knows no schedulers */
    if (options->reduction == REDUCTION_STATES)
        options->dependence = DEPENDENCE_BY_EXACT;
    else if (has_policy(options))
        options->reduction = REDUCTION_NONE;
}

/* The states that are compared do not contain these counters, nor what policies know. */
static bool check_options(const Options *options, Error *error)
{
    const char *name = options->reduction == REDUCTION_STATES ? "reduction=states" : "dependence=exact";
    if (!explored_suite_check(options, error))
        return false;
    if (compares_states(options) && (options->switches || options->objects.limit))
        return error_set(error, EXIT_USAGE, "--%s cannot be combined with --%s",
                         options->switches ? "switches" : "objects=N", name);
    if (options->reduction == REDUCTION_STATES && (options->loop || options->max_clock || has_policy(options)))
        return error_set(error, EXIT_USAGE, "--%s cannot be combined with --%s",
                         options->loop ? "loop" : options->max_clock ? "max-clock" : "tasks or --objects", name);
    return true;
}

/* The file whose main block is run: it names the model. The first one if there is none. */
static const char *find_main_file(const RunInfo *info)
{
    Error ignored;
    const char *found = info->arguments[1];
    if (info->argc == 2)
        return found;
    ModelReading reading = model_reading(&info->options);
    Model *model = check_files((const char *const *)info->arguments + 1, (uint32_t)info->argc - 1, &reading, &ignored);
    const ModuleDecl *module = model ? check_find_main(model) : NULL;
    const char *name = module ? source_place(&model->sources, module->main->pos).file->name : "";
    for (int i = 1; i < info->argc; i++)
        if (strcmp(info->arguments[i], name) == 0)
            found = info->arguments[i];
    model_destroy(model);
    return found;
}

static bool identify(RunInfo *info, Error *error)
{
    if (info->argc < 2)
        return error_set(error, EXIT_USAGE, "no model given");
    if (!hash_files(info, error))
        return false;
    if (!options_check(&info->options, PROGRAM_ABS, info->options.task == TASK_DEADLOCK ? USE_DEADLOCK : 0, error))
        return false;
    settle_options(&info->options);
    if (!check_options(&info->options, error))
        return false;
    const char *file = find_main_file(info);
    char *path = realpath(file, NULL);
    info->program = path ? path : mem_copy_string(file);
    return true;
}

/* ---- Opening it ---------------------------------------------------------------------- */

CHOICE_MATCHES(await, AWAIT_);
CHOICE_MATCHES(dialect, DIALECT_);
CHOICE_MATCHES(dependence, DEPENDENCE_);
CHOICE_MATCHES(tasks, TASKS_);
CHOICE_MATCHES(time, TIME_);
CHOICE_MATCHES(resources, RESOURCES_);
CHOICE_MATCHES(objects, OBJECTS_);

/* Without reduction `await` can follow the language definition literally (AWAIT_LITERAL, machine.h). */
static AbsOptions abs_options(const Options *options, StagePurpose purpose)
{
    bool shows = purpose == STAGE_REPLAY || purpose == STAGE_DEBUG;
    bool literal = options->reduction == REDUCTION_NONE && options->await == AWAIT_CONTINUE;
    return (AbsOptions){
        .reading = model_reading(options),
        .await = literal ? AWAIT_LITERAL : (AwaitMode)options->await,
        .dependence = (DependenceLevel)options->dependence,
        .tasks = (TaskPolicy)options->tasks,
        .objects = (ObjectPolicy)options->objects.policy,
        .max_loop = options->loop,
        .max_switches = options->switches,
        .time = (TimeMode)options->time,
        .resources = (ResourceMode)options->resources,
        .max_clock = options->max_clock,
        .max_objects = options->objects.limit,
        .by_objects = options->by_objects,
        .keep_output = shows,
        .keep_values = shows,
        .solver = {.solver = options->solver,
                   .timeout_ms = (uint32_t)(options->solver_time * 1000),
                   .log_dir = *options->smtlib ? options->smtlib : NULL},
    };
}

/* Options of the clock are refused where time never passes. */
static bool check_clock(const Options *options, const AbsProgram *program, Error *error)
{
    bool wanted = options->time == TIME_FREE || options->max_clock;
    const Image *image = program_abs_machine(program)->image;
    if (options->resources == RESOURCES_IGNORE && !image->component)
        return error_set(error, EXIT_USAGE, "--resources=ignore has no effect: there are no deployment components");
    if (!wanted || image->timed)
        return true;
    return error_set(error, EXIT_USAGE, "--%s has no effect: no time passes in this model",
                     options->max_clock ? "max-clock" : "time=free");
}

static bool knows_states(const Program *program, const RunInfo *info)
{
    const Options *options = &info->options;
    bool bounded = options->switches || options->objects.limit || options->loop || options->max_clock;
    return !bounded && !has_policy(options) &&
           !program_abs_machine((const AbsProgram *)program)->image->has_inputs;
}

static bool check_inputs(const Options *options, const AbsProgram *program, Error *error)
{
    if (options->reduction != REDUCTION_STATES || !program_abs_machine(program)->image->has_inputs)
        return true;
    return error_set(error, EXIT_USAGE, "--reduction=states: inputs have no state");
}

/* Diagnostics are printed once, by the process that the user started. */
static Program *open_program(const RunInfo *info, Region *region, StagePurpose purpose, bool fragile, Error *error)
{
    AbsOptions wanted = abs_options(&info->options, purpose);
    Text diagnostics = {0};
    (void)region;
    (void)fragile;
    AbsProgram *program = program_abs_create((const char *const *)info->arguments + 1, (uint32_t)info->argc - 1,
                                             &wanted, &diagnostics, error);
    if (purpose == STAGE_SEARCH)
        text_write_all(STDERR_FILENO, text_borrow(&diagnostics), diagnostics.length);
    text_release(&diagnostics);
    if (program && !(check_clock(&info->options, program, error) && check_inputs(&info->options, program, error))) {
        program_abs_destroy(program);
        program = NULL;
    }
    if (!program)
        return NULL;
    program_abs_set_killers(program, killers_create(program_abs_machine(program)->image));
    return program_abs_program(program);
}

/* ---- For the command line -------------------------------------------------------------- */

static const Subject subject_abs = {
    .agent = "task",
    .agents = "tasks",
    .version = "version",
    .causes_first = true,
    .identify = identify,
    .open = open_program,
    .inspect = inspect_abs,
    .knows_states = knows_states,
    .describe_end = describe_end_abs,
    .sequence = sequence_abs,
    .read_coverage = record_coverage,
    .count_branches = record_branches,
    .show_end = show_end_abs,
    .record_create = record_create,
    .record_execution = record_execution,
    .record_forget = record_forget,
    .record_write = record_write,
    .record_read = record_read,
    .record_reached = record_reached,
    .record_summarise = record_summarise,
    .record_report = record_report,
    .record_save = record_save,
};

const Subject *model_subject(void)
{
    return &subject_abs;
}

int model_run(int argc, char **argv)
{
    return app_run(&subject_abs, argc, argv);
}

bool model_check(const char *const *paths, uint32_t count, const Options *options, Text *text, Error *error)
{
    ModelReading reading = model_reading(options);
    return abs_check_files(paths, count, &reading, text, error);
}
