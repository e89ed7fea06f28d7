/* explorerun_files.c - the run directory of an exploration, and its checkpoint */
#include <stdio.h>

#include "app/search/checkpoint.h"
#include "app/tasks/explorerun.h"
#include "report/coverage.h"
#include "report/report_json.h"

/* ---- The run directory ---------------------------------------------------------------- */

RunDir *explorerun_directory(ExploreRun *run)
{
    if (!run->dir_open) {
        rundir_open(&run->dir, run->info->options.directory);
        rundir_link(&run->dir);
        run->dir_open = true;
        if (!*run->info->options.resume)
            rundir_forget(&run->dir);
    }
    return &run->dir;
}

void explorerun_save_bugs(ExploreRun *run)
{
    BugList *bugs = search_bugs(run->search);
    for (; run->written < buglist_count(bugs); run->written++) {
        const Bug *bug = &bugs->bugs[run->written];
        Text name = {0}, content = {0};
        rundir_name_bug(bug->kind, bug->id, "trace", &name);
        text_add_bytes(&content, bug->trace, bug->trace_size);
        rundir_write(explorerun_directory(run), name.data, &content);
        text_release(&name);
        text_release(&content);
    }
}

ProgressWork explorerun_work(const ExploreRun *run)
{
    ProgressWork work = {.workers = search_active(run->search), .open = search_open_jobs(run->search)};
    if (run->info->subject->count_branches)
        run->info->subject->count_branches(run->record, &work.branches, &work.branches_taken);
    return work;
}

void explorerun_save_stats(ExploreRun *run, double seconds)
{
    ExploreStats stats = search_stats(run->search);
    ProgressWork work = explorerun_work(run);
    Text line = {0};
    report_json_progress(&stats, &work, run->seconds_before + seconds, buglist_count(search_bugs(run->search)), &line);
    rundir_append(explorerun_directory(run), "stats.jsonl", &line);
    text_release(&line);
}

void explorerun_save_report(ExploreRun *run, const Bug *bug, const Text *report)
{
    Text name = {0}, plain = {0};
    rundir_name_bug(bug->kind, bug->id, "txt", &name);
    style_add_unpainted(&plain, text_borrow(report));
    rundir_write(explorerun_directory(run), name.data, &plain);
    text_release(&name);
    text_release(&plain);
}

void explorerun_save_coverage(ExploreRun *run)
{
    Text lcov = {0}, missing = {0};
    coverage_write_lcov(&run->coverage, run->info->directory, &lcov);
    coverage_write_uncovered(&run->coverage, run->info->directory, &missing);
    rundir_write(explorerun_directory(run), "coverage.info", &lcov);
    rundir_write(explorerun_directory(run), "uncovered.txt", &missing);
    text_release(&lcov);
    text_release(&missing);
}

/* ---- Checkpoints -------------------------------------------------------------------------- */

void explorerun_save_checkpoint(ExploreRun *run, double seconds)
{
    Text text = {0};
    checkpoint_write(run->search, run->info, run->seconds_before + seconds,
                     run->cpu_before + run->supervision.cpu_seconds, &text);
    run->checkpointed |= rundir_write(explorerun_directory(run), CHECKPOINT_NAME, &text);
    text_release(&text);
}

bool explorerun_is_resumable(const ExploreRun *run)
{
    return !run->ended_before && summary_is_resumable(&run->summary) && search_suspended(run->search);
}

void explorerun_drop_checkpoint(ExploreRun *run)
{
    if (run->ended_before || (!summary_is_resumable(&run->summary) && run->summary.ending != ENDING_FAILED))
        rundir_remove(explorerun_directory(run), CHECKPOINT_NAME);
}

void explorerun_say_resume(const ExploreRun *run)
{
    Text path = {0};
    text_add_word(&path, run->dir.path ? run->dir.path : "");
    bool stopped = summary_is_resumable(&run->summary) || run->summary.ending == ENDING_FAILED;
    if (stopped && run->checkpointed && !run->ended_before && run->dir.path)
        options_say(&run->info->options, "checkpoint written; resume with: sennit resume %s", text_borrow(&path));
    text_release(&path);
}
