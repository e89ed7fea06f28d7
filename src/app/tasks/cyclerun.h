/* cyclerun.h - the common part of deadlock runs: confirm what was found, report, save
 *
 * Cycles and deadlocks of models and of C programs are found in different ways, but confirmed and
 * reported in the same way.
 */
#ifndef APP_TASKS_CYCLERUN_H
#define APP_TASKS_CYCLERUN_H

#include "app/run/subject.h"
#include "app/tasks/confirm.h"
#include "app/tasks/results.h"
#include "report/cycleview.h"
#include "report/summary.h"

typedef struct CycleRun {
    RunInfo *info;
    Signals signals;
    Style style;
    RunDir dir;
    double begin;
    BugList *bugs;           /* deadlocks found                                  */
    CycleView *cycles;
    const Bug **bug_of;      /* by cycle: its deadlock, or NULL                  */
    uint32_t count;
    Summary summary;         /* stats, bounds, ending; the rest is filled in     */
    bool for_all;            /* it holds for every schedule and input            */
    bool cut;                /* the search ended before everything it was asked for was explored */
    const char *shown;       /* further text before the verdict, or NULL             */
    bool partial;            /* there may be deadlocks of a kind that was not looked at, which `scope` names */
    const char *scope;       /* what the verdict rests on, a clause of its sentence, or NULL */
    Text *texts;             /* two per cycle: path of its trace, report         */
    Confirmation *confirmed; /* by bug                                           */
    Text *json;
    uint32_t confirmations, unconfirmed;
    Results results;         /* for build servers                                */
} CycleRun;

/* Opens signals, style and the run directory. */
bool cyclerun_open(CycleRun *run, RunInfo *info, Error *error);
/* For a run that cannot begin: tells the error, also in the files for build servers; returns the exit code. */
ExitCode cyclerun_fail(const RunInfo *info, const Error *error);
/* Confirms the bugs, prints and saves everything; returns the exit code. */
ExitCode cyclerun_conclude(CycleRun *run);
void cyclerun_release(CycleRun *run);

#endif
