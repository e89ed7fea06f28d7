/* shrink.h - a smaller schedule that shows the same bug
 *
 * Steps that do not happen before the bug are left out, then the order with the
 * fewest preemptions is looked for within a budget of executions. The result has
 * been executed and shows the bug (same kind, same set of sites).
 */
#ifndef CORE_SHRINK_H
#define CORE_SHRINK_H

#include "core/schedule.h"

/* `failing` leads to `finding`. Answers a schedule from the heap with at most as many
 * preemptions (a copy of `failing` if nothing smaller was found) and, if `preemptions`
 * is not NULL, their number. */
Schedule *shrink_preemptions(Program *program, const Schedule *failing, const Finding *finding,
                             uint64_t budget, uint32_t *preemptions);

/* Same kind and same set of sites. */
bool finding_same_bug(const Finding *a, const Finding *b);

#endif
