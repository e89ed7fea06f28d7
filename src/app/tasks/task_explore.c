/* task_explore.c - a run as a whole: search, confirm, report
 *
 * Order matters where something may be lost: traces are written as bugs are found, before they are
 * minimised; the verdict is printed even if files could not be written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/run/outfile.h"
#include "app/search/checkpoint.h"
#include "app/tasks/explorerun.h"
#include "app/tasks/task.h"
#include "base/mem.h"

static const double ESTIMATE_INTERVAL = 0.2; /* seconds */

/* ---- During the search -------------------------------------------------------------------- */

static void watch(Watcher *self, double seconds)
{
    ExploreRun *run = (ExploreRun *)self;
    if (seconds >= run->next_estimate) {
        run->next_estimate = seconds + ESTIMATE_INTERVAL;
        search_estimate(run->search);
    }
    ExploreStats stats = search_stats(run->search);
    uint32_t bugs = buglist_count(search_bugs(run->search));
    ProgressWork work = explorerun_work(run);
    progress_update(&run->progress, &stats, &work, bugs, seconds, run->info->options.max_time);
    explorerun_save_bugs(run);
    if (seconds >= run->next_stats) {
        run->next_stats = seconds + 1;
        explorerun_save_stats(run, seconds);
    }
}

static void on_paused(Watcher *self, double seconds)
{
    ExploreRun *run = (ExploreRun *)self;
    if (search_suspended(run->search))
        explorerun_save_checkpoint(run, seconds);
}

/* ---- Opening ------------------------------------------------------------------------------ */

static Ending ending_named(const char *name)
{
    return strcmp(name, "bug") == 0          ? ENDING_BUG
           : strcmp(name, "time") == 0       ? ENDING_TIME
           : strcmp(name, "executions") == 0 ? ENDING_EXECUTIONS
           : strcmp(name, "enough") == 0     ? ENDING_ENOUGH
                                             : ENDING_INTERRUPTED;
}

static bool resume(ExploreRun *run, Error *error)
{
    CheckpointHead head;
    const char *path = run->info->options.resume;
    if (!*path)
        return true;
    bool good = checkpoint_load(path, run->info, run->search, &head, error);
    run->seconds_before = head.seconds;
    run->cpu_before = head.cpu_seconds;
    run->checkpointed = good;
    if (good && head.ending) {
        search_stop(run->search, ending_named(head.ending));
        run->ended_before = true;
    }
    checkpointhead_release(&head);
    return good;
}

static bool open_record(ExploreRun *run, Error *error)
{
    run->record =
        run->info->subject->record_create(run->stage.region, run->stage.program, run->info, &run->style, error);
    search_keep_record(run->search, run->record);
    return run->record != NULL;
}

static bool open_run(ExploreRun *run, const RunInfo *info, Error *error)
{
    const Options *options = &info->options;
    *run = (ExploreRun){.watcher = {.watch = watch, .paused = on_paused}, .info = info, .next_stats = 1};
    run->style = style_detect(STDOUT_FILENO, options->color, options->verbose);
    run->progress = progress_open(STDERR_FILENO, options->quiet);
    options_write_strategies(&options->strategies, &run->strategies);
    if (*options->html) /* the commands take it and keep it */
        return error_set(error, EXIT_USAGE, "--html is for sennit test and sennit explore");
    if (!outfile_check(options, error) || !stage_open(&run->stage, info, STAGE_SEARCH, false, error))
        return false;
    results_begin(options, info->name);
    results_init(&run->results, info);
    run->search = search_create(run->stage.region, run->stage.program, info);
    if (!run->search)
        return error_set(error, EXIT_INTERNAL, "cannot reserve memory for %llu workers",
                         (unsigned long long)options->jobs);
    search_sample_aside(run->search, run->stage.program);
    if (info->subject->record_create && !open_record(run, error))
        return false;
    return resume(run, error) && signals_open(&run->signals, error);
}

/* ---- Probes of build systems ------------------------------------------------------------------------- */

/* Without options, and with output that does not go to a terminal, a test binary may be a probe: a build system
 * wants to know what the plain program prints. */
static bool may_be_probe(const RunInfo *info)
{
    return info->subject->run_plain && !info->options_given && !isatty(STDOUT_FILENO);
}

static int pass_on(const ChildResult *child)
{
    text_write_all(STDOUT_FILENO, text_borrow(&child->output), child->output.length);
    text_write_all(STDERR_FILENO, text_borrow(&child->errors), child->errors.length);
    return WEXITSTATUS(child->status);
}

static bool is_sequential(const ChildResult *child)
{
    return WIFEXITED(child->status) && strcmp(text_borrow(&child->result), "1") == 0;
}

static bool had_one_schedule(ExploreRun *run)
{
    return run->supervision.ending == ENDING_DONE && search_ended(run->search, 0) &&
           search_stats(run->search).executions == 1 && buglist_count(search_bugs(run->search)) == 0;
}

/* Says how the search will run, where that may be unexpected or with --verbose. */
static void say_how(const ExploreRun *run)
{
    const Options *options = &run->info->options;
    uint32_t workers = search_workers(run->search);
    if (options->jobs > workers && !options->quiet)
        options_say(options, "%u worker%s instead of %llu: %s", workers, workers == 1 ? "" : "s",
                    (unsigned long long)options->jobs,
                    workers == 1 ? "this kind of search cannot be shared" : "that is the maximum");
    if (options->verbose)
        options_say(options, "exploring %s: %s, seed %llu, %u worker%s", run->info->program,
                    text_borrow(&run->strategies), (unsigned long long)options->seed, workers, workers == 1 ? "" : "s");
}

/* ---- Programs that have no meaning under weak memory --------------------------------------------------- */

/* The model was not given, and the program has something that exists under sequential consistency only. Bugs that were
 * found are bugs: they are reported, not searched for again. */
static bool must_be_sequential(const ExploreRun *run)
{
    const Subject *subject = run->info->subject;
    return run->supervision.ending == ENDING_REFUSED && run->info->memory_chosen && subject->needs_sc &&
           subject->needs_sc(run->stage.program) && buglist_count(search_bugs(run->search)) == 0;
}

/* Replaces this process by one that searches under sequential consistency. Returns if that fails. */
static void begin_again(ExploreRun *run)
{
    Options options = run->info->options;
    char *why = mem_copy_string(run->info->subject->refusal(run->stage.program));
    Text text = {0};
    options.memory = MEMORY_SC;
    options.memory_why = why;
    if (run->dir.path)
        options.directory = run->dir.path;
    options_write(&options, USE_EVERY, &text);
    fflush(NULL);
    if (setenv("SENNIT_OPTIONS", text.data, 1) == 0)
        execv("/proc/self/exe", run->info->arguments);
    text_release(&text);
    free(why);
}

/* ---- Task -------------------------------------------------------------------------------------------- */

static ExitCode fail(const RunInfo *info, const Error *error)
{
    results_fail(&info->options, info->name, error);
    return task_fail(info, error);
}

ExitCode task_explore(const RunInfo *info)
{
    ExploreRun run;
    Error error;
    ChildResult plain = {0};
    if (!open_run(&run, info, &error))
        return fail(info, &error);
    say_how(&run);
    bool probe = may_be_probe(info) && process_run_self(info, "--task=plain", 1e9, &run.signals, &plain, &error);
    if (probe && is_sequential(&plain))
        return (ExitCode)pass_on(&plain);
    if (!probe && !rundir_check(explorerun_directory(&run), &error))
        return fail(info, &error);
    if (!probe && run.dir.path && !search_keep_executions(run.search, run.dir.path, &error))
        return fail(info, &error);
    if (!run.ended_before)
        supervise_search(run.search, info, &run.signals, &run.watcher, &run.supervision);
    progress_close(&run.progress);
    if (must_be_sequential(&run))
        begin_again(&run);
    if (probe && had_one_schedule(&run) && WIFEXITED(plain.status))
        return (ExitCode)pass_on(&plain);
    childresult_release(&plain);
    explorerun_report_bugs(&run);
    return explorerun_finish(&run);
}
