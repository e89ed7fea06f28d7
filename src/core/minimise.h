/* minimise.h - a smaller schedule that shows the same bug
 *
 * Steps that do not happen before the bug are left out, then the order with the
 * fewest preemptions is looked for within a budget. The result has been executed
 * and shows the bug (same kind, same set of sites).
 */
#ifndef CORE_MINIMISE_H
#define CORE_MINIMISE_H

#include "core/schedule.h"

typedef struct MinimiseBudget {
    uint64_t executions;
    bool (*may_continue)(void); /* asked between executions: is there time for another one? */
} MinimiseBudget;

/* `failing` leads to `finding`. Answers a schedule from the heap with at most as many
 * preemptions (a copy of `failing` if nothing smaller was found), and whether no schedule
 * has fewer: false if the budget was used up before that was known. */
Schedule *minimise_preemptions(Program *program, const Schedule *failing, const Finding *finding,
                               const MinimiseBudget *budget, bool *fewest);

/* Same kind and same set of sites. */
bool finding_same_bug(const Finding *a, const Finding *b);

#endif
