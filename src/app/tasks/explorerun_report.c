/* explorerun_report.c - bugs are confirmed and reported, then the run as a whole */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/tasks/confirm.h"
#include "app/tasks/explorerun.h"
#include "base/mem.h"
#include "report/report_json.h"
#include "report/report_text.h"

/* ---- Bugs ------------------------------------------------------------------------------------ */

static void print(ExploreRun *run, const Text *report)
{
    if (!run->info->options.json)
        text_write_all(STDOUT_FILENO, text_borrow(report), report->length);
}

/* What the search has left of --max-time, but enough for a short replay. */
static double time_to_confirm(const ExploreRun *run)
{
    if (run->signals.interrupts > run->interrupts)
        return 0;
    return run->confirm_until > 0 ? run->confirm_until - process_now() : CONFIRM_ANY_TIME;
}

/* The run ends within a second after the limit, also if the workers did not stop by themselves. */
static void plan_confirming(ExploreRun *run)
{
    static const double LATEST = 0.95, MOST = 0.8, LEAST = 0.3;
    double limit = run->info->options.max_time, left = limit - run->supervision.seconds;
    double least = left + LATEST < LEAST ? LEAST : left + LATEST < MOST ? left + LATEST : MOST;
    if (limit > 0)
        run->confirm_until = process_now() + (left > least ? left : least);
}

/* The headline, and how to see the rest. */
static void print_briefly(ExploreRun *run, const Text *report, const char *shown)
{
    const char *text = text_borrow(report), *end = strchr(text, '\n');
    Text line = {0};
    text_add_bytes(&line, text, end ? (size_t)(end - text) : strlen(text));
    text_add_string(&line, "\n    sennit replay ");
    text_add_word(&line, shown);
    text_add_string(&line, "\n\n");
    print(run, &line);
    text_release(&line);
}

static bool is_brief(const ExploreRun *run, uint32_t printed)
{
    const Options *options = &run->info->options;
    return run->info->subject->causes_first && printed > 0 && !options->verbose && options->show != SHOW_ALL &&
           !options->diagram;
}

static void report_bug(ExploreRun *run, uint32_t number, uint32_t printed)
{
    const Bug *bug = &search_bugs(run->search)->bugs[number];
    Confirmation result;
    Text name = {0}, shown = {0};
    rundir_name_bug(bug->kind, bug->id, "trace", &name);
    if (explorerun_directory(run)->path && !run->dir.failed)
        text_add(&shown, "%s/%s", run->dir.shown, name.data);
    progress_say(&run->progress, "confirming the bugs found ...");
    confirm_bug(run->info, bug, shown.length ? shown.data : NULL, &run->style, &run->signals,
                time_to_confirm(run), &result);
    rundir_write(&run->dir, name.data, &result.trace);
    progress_close(&run->progress);
    text_add_string(&result.report, "\n");
    if (is_brief(run, printed) && shown.length)
        print_briefly(run, &result.report, shown.data);
    else
        print(run, &result.report);
    explorerun_save_report(run, bug, &result.report);
    text_add_bytes(&run->bugs[number], text_borrow(&result.json), result.json.length);
    run->summary.unconfirmed += !result.confirmed;
    run->summary.unreplayed += result.unreplayed;
    run->summary.failed_replays += result.failed;
    results_add_bug(&run->results, bug, &result);
    confirmation_release(&result);
    text_release(&name);
    text_release(&shown);
}

/* What waits forever may do so because of another bug. */
static bool comes_late(const ExploreRun *run, const Bug *bug)
{
    return run->info->subject->causes_first &&
           (strcmp(bug->kind, bug_kind_name(BUG_STUCK)) == 0 || strcmp(bug->kind, bug_kind_name(BUG_LIVELOCK)) == 0);
}

void explorerun_report_bugs(ExploreRun *run)
{
    run->summary.bugs = buglist_count(search_bugs(run->search));
    run->interrupts = run->signals.interrupts;
    run->bugs = mem_alloc((run->summary.bugs + 1) * sizeof *run->bugs);
    explorerun_save_bugs(run);
    plan_confirming(run);
    uint32_t printed = 0;
    for (unsigned late = 0; late < 2; late++)
        for (uint32_t i = 0; i < run->summary.bugs; i++)
            if (comes_late(run, &search_bugs(run->search)->bugs[i]) == (late == 1))
                report_bug(run, i, printed++);
}

/* ---- The end ------------------------------------------------------------------------------------ */

static void note_opaque(void *context, const char *name)
{
    ExploreRun *run = context;
    VEC_PUSH(&run->opaque, name);
}

static void note_goal(void *context, const char *name, bool is_reached)
{
    ExploreRun *run = context;
    VEC_PUSH(&run->goals, ((Goal){name, is_reached}));
}

/* What only the subject knows of its program. */
static void ask_subject(ExploreRun *run)
{
    const Subject *subject = run->info->subject;
    Summary *summary = &run->summary;
    if (subject->each_opaque)
        subject->each_opaque(note_opaque, run);
    summary->opaque = run->opaque.items;
    summary->opaque_count = run->opaque.count;
    if (subject->each_goal)
        subject->each_goal(note_goal, run);
    summary->goals = run->goals.items;
    summary->goal_count = run->goals.count;
    if (subject->read_coverage && subject->read_coverage(run->record, &run->coverage))
        summary->coverage = &run->coverage;
    if (subject->summarise)
        subject->summarise(run->stage.program, summary);
    if (run->record && subject->record_summarise)
        subject->record_summarise(run->record, summary);
}

static void summarise(ExploreRun *run)
{
    const RunInfo *info = run->info;
    Summary *summary = &run->summary;
    search_summarise(run->search, summary);
    if (run->supervision.ending != ENDING_DONE)
        summary->ending = run->supervision.ending;
    if (run->signals.interrupts > run->interrupts)
        summary->ending = ENDING_INTERRUPTED;
    if (summary->ending == ENDING_REFUSED && info->subject->refusal)
        summary->note = info->subject->refusal(run->stage.program);
    else if (*run->supervision.note)
        summary->note = run->supervision.note;
    if (summary->ending == ENDING_DIVERGED || summary->ending == ENDING_REFUSED || summary->ending == ENDING_FAILED)
        summary->complete = false;
    for (int i = 0; i < info->argc && !*info->options.command; i++)
        text_add(&run->command, "%s%s", i ? " " : "", info->arguments[i]);
    summary->program = info->program;
    summary->name = info->name;
    summary->agents = info->subject->agents;
    summary->command = *info->options.command ? info->options.command : text_borrow(&run->command);
    summary->strategies = text_borrow(&run->strategies);
    summary->seconds = run->seconds_before + run->supervision.seconds;
    summary->cpu_seconds = run->cpu_before + run->supervision.cpu_seconds;
    summary->memory_why = *info->options.memory_why ? info->options.memory_why : NULL;
    summary->peak_kb = run->supervision.peak_kb;
    ask_subject(run);
    summary->exit_code = summary_exit_code(summary);
}

ExitCode explorerun_finish(ExploreRun *run)
{
    Text report = {0}, json = {0};
    summarise(run);
    if (explorerun_is_resumable(run))
        explorerun_save_checkpoint(run, run->supervision.seconds);
    run->summary.directory = run->dir.failed ? NULL : explorerun_directory(run)->path;
    if (run->record) {
        run->info->subject->record_report(run->record, &run->summary, &run->style, &report);
        run->info->subject->record_save(run->record, explorerun_directory(run));
    }
    report_json_run(&run->summary, run->bugs, run->summary.bugs, &json);
    explorerun_save_stats(run, run->supervision.seconds);
    rundir_write(explorerun_directory(run), "run.json", &json);
    if (run->summary.coverage)
        explorerun_save_coverage(run);
    explorerun_drop_checkpoint(run);
    if (run->dir.failed)
        run->summary.directory = NULL;
    report_text_summary(&run->summary, &run->style, &report);
    const Text *out = run->info->options.json ? &json : &report;
    results_print(&run->info->options, out, &run->dir, run->bugs, &run->summary);
    explorerun_say_resume(run);
    ExitCode code = results_publish(&run->results, &run->summary);
    results_release(&run->results);
    text_release(&report);
    text_release(&json);
    coverage_release(&run->coverage);
    VEC_FREE(&run->opaque);
    VEC_FREE(&run->goals);
    return code;
}
