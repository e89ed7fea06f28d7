/* minimise.h - a smaller schedule that shows the same bug
 *
 * Steps that do not happen before the bug are left out; then a schedule with the fewest preemptions is searched
 * for within a budget. The result has been executed and shows the bug (finding_same_bug).
 */
#ifndef CORE_MINIMISE_H
#define CORE_MINIMISE_H

#include "core/schedule.h"

/* How long to search. */
typedef struct MinimiseBudget {
    uint64_t executions;
    bool (*may_continue)(void); /* called between executions: whether there is time for another one */
} MinimiseBudget;

/* `failing` leads to `finding`. Returns a schedule, owned by the caller (schedule_destroy with NULL), with at most
 * as many preemptions: a copy of `failing` if nothing smaller was found. *fewest: no schedule that shows the bug
 * has fewer; false if the budget ran out before that was known. */
Schedule *minimise_preemptions(Program *program, const Schedule *failing, const Finding *finding,
                               const MinimiseBudget *budget, bool *fewest);

#endif
