/* minimise_weak.h - an execution under weak memory that shows the same bug and is easier to understand
 *
 * Best is one that is possible under sequential consistency too: nothing in it is stale. So the graph of the given
 * execution is checked, and then all sequentially consistent graphs are searched for the bug, within the budget. If
 * there is none, graphs with few stale steps are searched for. Steps that do not happen before the bug are left out,
 * and the others come in an order with few stale steps and few preemptions (linear.h).
 */
#ifndef CORE_GRAPH_MINIMISE_WEAK_H
#define CORE_GRAPH_MINIMISE_WEAK_H

#include "core/minimise.h"

/* `failing` leads to `finding`. Returns a schedule, owned by the caller (schedule_destroy with NULL). */
Schedule *minimise_weak(Program *program, const Schedule *failing, const Finding *finding, const MinimiseBudget *budget,
                        Sequential *sequential);

#endif
