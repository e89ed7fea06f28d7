/* explorerun.h - one run of `sennit explore`, seen by the files that implement task_explore
 *
 * task_explore.c searches, explorerun_files.c writes the run directory and checkpoints,
 * explorerun_report.c confirms and reports.
 */
#ifndef APP_TASKS_EXPLORERUN_H
#define APP_TASKS_EXPLORERUN_H

#include "app/run/rundir.h"
#include "app/search/stage.h"
#include "app/search/supervise.h"
#include "app/tasks/results.h"
#include "base/vec.h"
#include "report/progress.h"

/* From the options to the exit code. */
typedef struct ExploreRun {
    Watcher watcher;        /* first: the watcher is the run            */
    const RunInfo *info;
    Stage stage;
    RunSearch *search;
    SearchRecord *record;   /* of the subject, or NULL                  */
    Signals signals;
    Progress progress;
    Style style;
    RunDir dir;
    bool dir_open;
    uint32_t written;       /* bugs whose trace is in the run directory */
    double next_stats;
    double next_estimate;
    unsigned interrupts;    /* before bugs were confirmed               */
    double confirm_until;   /* when that has to end; 0: at any time     */
    double seconds_before;  /* of the search, up to the checkpoint it continues from */
    double cpu_before;
    bool ended_before;      /* the checkpoint is of a search that ended */
    bool checkpointed;      /* there is a checkpoint to resume from     */
    Summary summary;
    Supervision supervision;
    CodeCoverage coverage;
    Text strategies;
    Text command;
    Text *bugs;             /* JSON of each bug                         */
    Results results;        /* for build servers                        */
    VEC(const char *) opaque;
    VEC(Goal) goals;
} ExploreRun;

/* -- explorerun_files.c ------------------------------------------------------ */

/* The run directory. It is created when the first file is written: a program that only answers a
 * question of a configure script leaves nothing behind. */
RunDir *explorerun_directory(ExploreRun *run);
/* Writes the traces of bugs found since the last call, not yet minimised. */
void explorerun_save_bugs(ExploreRun *run);
/* What the search has at work and covered, now. */
ProgressWork explorerun_work(const ExploreRun *run);
/* Appends a line to stats.jsonl; `seconds` are those of this process. */
void explorerun_save_stats(ExploreRun *run, double seconds);
/* The report of a bug as a file, without colours. */
void explorerun_save_report(ExploreRun *run, const Bug *bug, const Text *report);
/* Writes the coverage for lcov and the list of uncovered branches. Relative names of sources are relative to
 * the directory the program runs in. */
void explorerun_save_coverage(ExploreRun *run);

void explorerun_save_checkpoint(ExploreRun *run, double seconds);
/* Was the search stopped such that it can be resumed from its jobs? */
bool explorerun_is_resumable(const ExploreRun *run);
/* Removes the checkpoint if the search is over. To be called after its results are written: until then it is
 * needed. */
void explorerun_drop_checkpoint(ExploreRun *run);
/* Prints how to resume, if there is a checkpoint. */
void explorerun_say_resume(const ExploreRun *run);

/* -- explorerun_report.c ----------------------------------------------------- */

/* Confirms, prints and saves every bug. */
void explorerun_report_bugs(ExploreRun *run);
/* Prints and saves the result and releases what the run holds; returns the exit code. */
ExitCode explorerun_finish(ExploreRun *run);

#endif
