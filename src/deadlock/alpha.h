/* alpha.h - the abstraction function: from objects, tasks and waits of an execution to those of the analysis */
#ifndef DEADLOCK_ALPHA_H
#define DEADLOCK_ALPHA_H

#include "abs/run/machine.h"
#include "deadlock/analysis.h"

#define ALPHA_NONE UINT32_MAX /* unknown to the analysis */

/* The abstraction of a concrete object, task or frame, or ALPHA_NONE. */
uint32_t alpha_object(const Analysis *analysis, const Machine *machine, uint32_t object);
uint32_t alpha_task(const Analysis *analysis, const Machine *machine, AgentId task);
uint32_t alpha_activation(const Analysis *analysis, const Machine *machine, const Frame *frame);

/* The abstraction of a deadlock cycle: `cycle` are tasks each of which waits for the next. Fills `steps`, with room
 * for `count`, and answers how many; 0 if a wait is unknown to the analysis. */
uint32_t alpha_deadlock(const Analysis *analysis, const Machine *machine, const AgentId *cycle, uint32_t count,
                        CycleStep *steps);
/* Do the steps of a deadlock contain those of the cycle as consecutive steps? */
bool alpha_matches(const CycleStep *steps, uint32_t count, const ModelCycle *cycle);

/* The wait of a task for another one, or ALPHA_NONE. */
uint32_t alpha_wait(const Analysis *analysis, const Machine *machine, const Task *task, AgentId wanted);

#endif
