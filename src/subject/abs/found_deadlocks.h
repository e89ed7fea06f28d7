/* found_deadlocks.h - the executions in which a guided search found deadlocks, kept to be shown (--show=all, --tree)
 *
 * Kept as schedules in the region, by the processes that search; repeated and described by the one that reports.
 */
#ifndef SUBJECT_ABS_FOUND_DEADLOCKS_H
#define SUBJECT_ABS_FOUND_DEADLOCKS_H

#include "abs/program/program_abs.h"
#include "app/run/rundir.h"
#include "app/run/runinfo.h"
#include "base/region.h"
#include "core/schedule.h"
#include "report/style.h"

typedef struct FoundDeadlock {
    struct FoundDeadlock *next;
    Schedule *schedule;
} FoundDeadlock;

/* Those of one search; written by one process. Start with {0}. */
typedef struct FoundDeadlocks {
    FoundDeadlock *first, *last;
    uint32_t count, left;      /* kept; beyond what is kept */
} FoundDeadlocks;

/* Keeps the execution, which ends in the deadlock. */
void found_deadlocks_keep(FoundDeadlocks *found, Region *region, const Execution *ex);

/* What is shown of all searches together: executes the program. */
typedef struct DeadlockShow {
    AbsProgram *program;
    const RunInfo *info;
    const Style *style;
    RunDir *dir;               /* for tree.txt and tree.dot */
} DeadlockShow;

void found_deadlocks_show(const DeadlockShow *show, const FoundDeadlocks *const *found, uint32_t count, Text *out);

#endif
