/* alpha.h - what the objects and tasks of a running model are to the analysis */
#ifndef DEADLOCK_ALPHA_H
#define DEADLOCK_ALPHA_H

#include "abs/run/machine.h"
#include "deadlock/analysis.h"

#define ALPHA_NONE UINT32_MAX /* the analysis does not know it */

/* The abstract object, task, activation of something concrete. */
uint32_t alpha_object(const Analysis *analysis, const Machine *machine, uint32_t object);
uint32_t alpha_task(const Analysis *analysis, const Machine *machine, AgentId task);
uint32_t alpha_activation(const Analysis *analysis, const Machine *machine, const Frame *frame);

/* The waits that make up a deadlock: `cycle` are tasks each of which cannot go on without
 * the next. Answers how many, or 0 if one of them is unknown to the analysis. `steps` has
 * room for `count`. */
uint32_t alpha_deadlock(const Analysis *analysis, const Machine *machine, const AgentId *cycle, uint32_t count,
                        CycleStep *steps);
/* Does the way of a deadlock contain the cycle without a gap? */
bool alpha_matches(const CycleStep *steps, uint32_t count, const ModelCycle *cycle);

/* The wait a task stands in, for one of the tasks it waits for; ALPHA_NONE if there is none. */
uint32_t alpha_wait(const Analysis *analysis, const Machine *machine, const Task *task, AgentId wanted);

#endif
