/* task_explore.c - a run as a whole: search, confirm, report
 *
 * Order matters where something may be lost: bugs are written as they are found, before
 * they are minimised; the verdict is printed whatever could not be written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/run/rundir.h"
#include "app/search/checkpoint.h"
#include "app/search/stage.h"
#include "app/search/supervise.h"
#include "app/tasks/confirm.h"
#include "app/tasks/task.h"
#include "base/mem.h"
#include "base/vec.h"
#include "report/progress.h"
#include "report/report_json.h"
#include "report/report_text.h"

/* ---- Types ------------------------------------------------------------------------ */

static const double ESTIMATE = 0.2; /* seconds between two */

typedef struct Run {
    Watcher watcher;        /* first: the watcher is the run            */
    const RunInfo *info;
    Stage stage;
    RunSearch *search;
    SearchRecord *record;         /* of the subject, or NULL                  */
    Signals signals;
    Progress progress;
    Style style;
    RunDir dir;
    bool dir_open;
    uint32_t written;       /* bugs whose trace is in the run directory */
    double next_stats;
    double next_estimate;
    unsigned interrupts;    /* that came before bugs were confirmed     */
    double seconds_before;  /* of the search, up to the checkpoint it goes on from */
    double cpu_before;
    bool ended_before;      /* the search was ended elsewhere           */
    bool checkpointed;      /* there is a checkpoint to go on from      */
    Summary summary;
    Supervision supervision;
    CodeCoverage coverage;
    Text strategies;
    Text command;
    Text *bugs;             /* JSON of each bug                         */
    VEC(const char *) opaque;
    VEC(Goal) goals;
} Run;

/* ---- The run directory ---------------------------------------------------------------- */

/* Made when the first thing is to be written: a program that only answers a question of a
 * configure script leaves nothing behind. */
static RunDir *directory(Run *run)
{
    if (!run->dir_open) {
        rundir_open(&run->dir, run->info->options.directory);
        rundir_link(&run->dir);
        run->dir_open = true;
        if (!*run->info->options.resume)
            rundir_remove(&run->dir, CHECKPOINT_NAME); /* of an earlier run */
    }
    return &run->dir;
}

static void name_trace(const Bug *bug, Text *name)
{
    text_add(name, "bugs/%s-%s.trace", bug->kind, bug->id);
}

/* Writes traces of bugs found since the last call as they are. */
static void save_new_bugs(Run *run)
{
    BugList *bugs = search_bugs(run->search);
    for (; run->written < buglist_count(bugs); run->written++) {
        const Bug *bug = &bugs->bugs[run->written];
        Text name = {0}, content = {0};
        name_trace(bug, &name);
        text_add_bytes(&content, bug->trace, bug->trace_size);
        rundir_write(directory(run), name.data, &content);
        text_release(&name);
        text_release(&content);
    }
}

static void save_stats(Run *run, double seconds)
{
    ExploreStats stats = search_stats(run->search);
    Text line = {0};
    report_json_progress(&stats, seconds, buglist_count(search_bugs(run->search)), &line);
    rundir_append(directory(run), "stats.jsonl", &line);
    text_release(&line);
}

/* ---- While it searches -------------------------------------------------------------------- */

static void watch(Watcher *self, double seconds)
{
    Run *run = (Run *)self;
    if (seconds >= run->next_estimate) {
        run->next_estimate = seconds + ESTIMATE;
        search_estimate(run->search);
    }
    ExploreStats stats = search_stats(run->search);
    uint32_t bugs = buglist_count(search_bugs(run->search));
    if (run->info->subject->count_branches)
        run->info->subject->count_branches(&run->progress.branches, &run->progress.branches_taken);
    ProgressWork work = {.workers = search_active(run->search), .open = search_open_jobs(run->search)};
    progress_update(&run->progress, &stats, &work, bugs, seconds, run->info->options.max_time);
    save_new_bugs(run);
    if (seconds >= run->next_stats) {
        run->next_stats = seconds + 1;
        save_stats(run, seconds);
    }
}

/* ---- Checkpoints -------------------------------------------------------------------------- */

static void save_checkpoint(Run *run, double seconds)
{
    Text text = {0};
    checkpoint_write(run->search, run->info, run->seconds_before + seconds,
                     run->cpu_before + run->supervision.cpu_seconds, &text);
    run->checkpointed |= rundir_write(directory(run), CHECKPOINT_NAME, &text);
    text_release(&text);
}

static void on_paused(Watcher *self, double seconds)
{
    Run *run = (Run *)self;
    if (search_suspended(run->search))
        save_checkpoint(run, seconds);
}

/* A search that was stopped can be resumed. */
static bool is_resumable(const Run *run)
{
    return !run->ended_before && summary_can_go_on(&run->summary) && search_suspended(run->search);
}

/* Of one that is over, no checkpoint must be left; but as long as its results are not written, it is. */
static void drop_checkpoint(Run *run)
{
    if (run->ended_before || (!summary_can_go_on(&run->summary) && run->summary.ending != ENDING_FAILED))
        rundir_remove(directory(run), CHECKPOINT_NAME);
}

static void say_resume(const Run *run)
{
    if ((summary_can_go_on(&run->summary) || run->summary.ending == ENDING_FAILED) && run->checkpointed &&
        run->dir.path)
        fprintf(stderr, "sennit: checkpoint written; go on with: sennit resume %s\n", run->dir.path);
}

static Ending ending_named(const char *name)
{
    return strcmp(name, "bug") == 0          ? ENDING_BUG
           : strcmp(name, "time") == 0       ? ENDING_TIME
           : strcmp(name, "executions") == 0 ? ENDING_EXECUTIONS
           : strcmp(name, "enough") == 0     ? ENDING_ENOUGH
                                             : ENDING_INTERRUPTED;
}

static bool go_on_from_checkpoint(Run *run, Error *error)
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

static bool open_record(Run *run, Error *error)
{
    run->record =
        run->info->subject->record_create(run->stage.region, run->stage.program, run->info, &run->style, error);
    search_keep_record(run->search, run->record);
    return run->record != NULL;
}

static bool open_run(Run *run, const RunInfo *info, Error *error)
{
    const Options *options = &info->options;
    *run = (Run){.watcher = {.watch = watch, .paused = on_paused}, .info = info, .next_stats = 1};
    run->style = style_detect(STDOUT_FILENO, options->color, options->verbose);
    run->progress = progress_open(STDERR_FILENO, options->quiet);
    options_write_strategies(&options->strategies, &run->strategies);
    if (!stage_open(&run->stage, info, STAGE_SEARCH, false, error))
        return false;
    run->search = search_create(run->stage.region, run->stage.program, info);
    if (!run->search)
        return error_set(error, EXIT_INTERNAL, "cannot reserve memory for %llu workers",
                         (unsigned long long)options->jobs);
    if (info->subject->record_create && !open_record(run, error))
        return false;
    return go_on_from_checkpoint(run, error) && signals_open(&run->signals, error);
}

/* ---- Bugs ------------------------------------------------------------------------------------ */

static void print(Run *run, const Text *report)
{
    if (!run->info->options.json)
        text_write_all(STDOUT_FILENO, text_borrow(report), report->length);
}

/* The report again as a file, without colours. */
static void save_report(Run *run, const Bug *bug, const Text *report)
{
    Text name = {0}, plain = {0};
    text_add(&name, "bugs/%s-%s.txt", bug->kind, bug->id);
    for (const char *c = text_borrow(report); *c;) {
        if (*c == '\033')
            c += strcspn(c, "m") + 1;
        else
            text_add_bytes(&plain, c++, 1);
    }
    rundir_write(directory(run), name.data, &plain);
    text_release(&name);
    text_release(&plain);
}

static void report_bug(Run *run, uint32_t number)
{
    const Bug *bug = &search_bugs(run->search)->bugs[number];
    Confirmation result;
    Text name = {0}, shown = {0};
    name_trace(bug, &name);
    if (directory(run)->path && !run->dir.failed)
        text_add(&shown, "%s/%s", run->dir.shown, name.data);
    progress_say(&run->progress, "confirming what was found ...");
    confirm_bug(run->info, bug, shown.length ? shown.data : NULL, &run->style, &run->signals,
                run->signals.interrupts > run->interrupts, &result);
    rundir_write(&run->dir, name.data, &result.trace);
    progress_close(&run->progress);
    text_add_string(&result.report, "\n");
    print(run, &result.report);
    save_report(run, bug, &result.report);
    text_add_bytes(&run->bugs[number], text_borrow(&result.json), result.json.length);
    run->summary.unconfirmed += !result.confirmed;
    confirmation_release(&result);
    text_release(&name);
    text_release(&shown);
}

static void report_bugs(Run *run)
{
    run->summary.bugs = buglist_count(search_bugs(run->search));
    run->interrupts = run->signals.interrupts;
    run->bugs = mem_alloc((run->summary.bugs + 1) * sizeof *run->bugs);
    save_new_bugs(run);
    for (uint32_t i = 0; i < run->summary.bugs; i++)
        report_bug(run, i);
}

/* ---- The end ------------------------------------------------------------------------------------ */

static void note_opaque(void *context, const char *name)
{
    Run *run = context;
    VEC_PUSH(&run->opaque, name);
}

static void note_goal(void *context, const char *name, bool is_reached)
{
    Run *run = context;
    VEC_PUSH(&run->goals, ((Goal){name, is_reached}));
}

static void summarise(Run *run)
{
    Summary *summary = &run->summary;
    search_summarise(run->search, summary);
    if (run->supervision.ending != ENDING_DONE)
        summary->ending = run->supervision.ending;
    if (run->signals.interrupts > run->interrupts)
        summary->ending = ENDING_INTERRUPTED;
    if (summary->ending == ENDING_REFUSED && run->info->subject->refusal)
        summary->note = run->info->subject->refusal(run->stage.program);
    else if (*run->supervision.note)
        summary->note = run->supervision.note;
    for (int i = 0; i < run->info->argc && !*run->info->options.command; i++)
        text_add(&run->command, "%s%s", i ? " " : "", run->info->arguments[i]);
    summary->program = run->info->program;
    summary->name = run->info->name;
    summary->agents = run->info->subject->agents;
    summary->command = *run->info->options.command ? run->info->options.command : text_borrow(&run->command);
    summary->strategies = text_borrow(&run->strategies);
    if (run->info->subject->each_opaque)
        run->info->subject->each_opaque(note_opaque, run);
    summary->opaque = run->opaque.items;
    summary->opaque_count = run->opaque.count;
    if (run->info->subject->each_goal)
        run->info->subject->each_goal(note_goal, run);
    summary->goals = run->goals.items;
    summary->goal_count = run->goals.count;
    if (run->info->subject->read_coverage && run->info->subject->read_coverage(&run->coverage))
        summary->coverage = &run->coverage;
    summary->seconds = run->seconds_before + run->supervision.seconds;
    summary->cpu_seconds = run->cpu_before + run->supervision.cpu_seconds;
    summary->peak_kb = run->supervision.peak_kb;
    if (run->info->subject->summarise)
        run->info->subject->summarise(run->stage.program, summary);
    if (run->record && run->info->subject->record_summarise)
        run->info->subject->record_summarise(run->record, summary);
    summary->exit_code = summary_exit_code(summary);
}

static void warn_of_directory(const Run *run)
{
    if (run->dir.failed)
        fprintf(stderr, "sennit: results could not be saved: %s\n", run->dir.problem);
}

/* Relative names of sources are seen from where the program runs. */
static void save_coverage(Run *run)
{
    Text lcov = {0}, missing = {0};
    coverage_write_lcov(&run->coverage, run->info->directory, &lcov);
    coverage_write_uncovered(&run->coverage, run->info->directory, &missing);
    rundir_write(directory(run), "coverage.info", &lcov);
    rundir_write(directory(run), "uncovered.txt", &missing);
    text_release(&lcov);
    text_release(&missing);
}

static ExitCode finish(Run *run)
{
    Text report = {0}, json = {0};
    summarise(run);
    if (is_resumable(run))
        save_checkpoint(run, run->supervision.seconds);
    run->summary.directory = run->dir.failed ? NULL : directory(run)->path;
    if (run->record) {
        run->info->subject->record_report(run->record, &run->summary, &run->style, &report);
        run->info->subject->record_save(run->record, directory(run));
    }
    report_json_run(&run->summary, run->bugs, run->summary.bugs, &json);
    save_stats(run, run->supervision.seconds);
    rundir_write(directory(run), "run.json", &json);
    if (run->summary.coverage)
        save_coverage(run);
    drop_checkpoint(run);
    if (run->dir.failed)
        run->summary.directory = NULL;
    report_text_summary(&run->summary, &run->style, &report);
    if (run->info->options.json)
        text_write_all(STDOUT_FILENO, json.data, json.length);
    else
        text_write_all(STDOUT_FILENO, report.data, report.length);
    warn_of_directory(run);
    say_resume(run);
    text_release(&report);
    text_release(&json);
    coverage_release(&run->coverage);
    VEC_FREE(&run->opaque);
    VEC_FREE(&run->goals);
    return run->summary.exit_code;
}

/* ---- Standing in for the plain program --------------------------------------------------------------- */

/* Without options and with its output going elsewhere, a test binary may be asked by a
 * build system what the plain program would print. */
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

static bool had_one_schedule(Run *run)
{
    return run->supervision.ending == ENDING_DONE && search_ended(run->search, 0) &&
           search_stats(run->search).executions == 1 && buglist_count(search_bugs(run->search)) == 0;
}

/* What is about to be done, where that may surprise or was asked for. */
static void say_how(const Run *run)
{
    const Options *options = &run->info->options;
    uint32_t workers = search_workers(run->search);
    if (options->jobs > workers && !options->quiet)
        fprintf(stderr, "sennit: %u worker%s instead of %llu: %s\n", workers, workers == 1 ? "" : "s",
                (unsigned long long)options->jobs,
                workers == 1 ? "this kind of search cannot be divided" : "more are not supported");
    if (options->verbose)
        fprintf(stderr, "sennit: exploring %s: %s, seed %llu, %u worker%s\n", run->info->program,
                text_borrow(&run->strategies), (unsigned long long)options->seed, workers, workers == 1 ? "" : "s");
}

/* ---- Task -------------------------------------------------------------------------------------------- */

ExitCode task_explore(const RunInfo *info)
{
    Run run;
    Error error;
    ChildResult plain = {0};
    if (!open_run(&run, info, &error))
        return task_fail(&error);
    say_how(&run);
    bool probe = may_be_probe(info) && process_run_self(info, "--task=plain", 1e9, &run.signals, &plain, &error);
    if (probe && is_sequential(&plain))
        return (ExitCode)pass_on(&plain);
    if (!run.ended_before)
        supervise_search(run.search, info, &run.signals, &run.watcher, &run.supervision);
    progress_close(&run.progress);
    if (probe && had_one_schedule(&run) && WIFEXITED(plain.status))
        return (ExitCode)pass_on(&plain);
    childresult_release(&plain);
    report_bugs(&run);
    return finish(&run);
}
