/* helpers.h - who could make the condition of an await true
 *
 * A condition reads fields of its own object and variables of its task. Only an assignment to one of these fields can
 * make it true, hence only a task that contains one, or a task that may start such a task, directly or indirectly.
 */
#ifndef DEADLOCK_HELPERS_H
#define DEADLOCK_HELPERS_H

#include "deadlock/depgraph.h"

/* Can an assignment make the condition of this wait true? Answers false only if it certainly cannot. */
bool helpers_may_satisfy(const Guarding *guard, const Code *code, uint32_t at);
/* Adds the tasks that contain such an assignment to the row `writers`, and those that may start one of them, or are
 * one of them, to `helpers`. */
void helpers_find(const DepGraph *graph, const WaitEdge *wait, uint64_t *writers, uint64_t *helpers);
/* May a helper that is at the wait `next` still assign, or start a task that does, after it? */
bool helpers_still_help(const DepGraph *graph, const WaitEdge *wait, const WaitEdge *next);

#endif
