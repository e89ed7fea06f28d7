/* waitgraph.h - the wait-for graph: deadlock cycles as soon as they exist
 *
 * A task waits for the tasks whose futures it needs, and, unless it holds its cog, for the task that does. It needs
 * all of them, so no task of a cycle takes another step, unless one of them ends without a step because its object
 * dies (task_cycles.c). Paper: Gomez-Zamalloa and others on deadlock-guided testing (blocking intervals, deadlock
 * chains); docs/design/abs.md.
 */
#ifndef ABS_RUN_WAITGRAPH_H
#define ABS_RUN_WAITGRAPH_H

#include "abs/run/machine.h"

/* Finds the cycle through a task that has just begun to wait. Fills at most `room` tasks, the smallest first, each
 * waiting for the next one; answers how many, 0 if there is no cycle. */
uint32_t waitgraph_find_cycle(const Machine *machine, AgentId task, AgentId *cycle, uint32_t room);

/* Does the task wait for one of the tasks t with tasks[t] set? Edges of the graph only, no paths. */
bool waitgraph_waits_for(const Machine *machine, const Task *task, const uint8_t *tasks);

/* The task that holds its cog and thereby blocks it, or AGENT_NONE. */
AgentId waitgraph_holder(const Machine *machine, const Task *task);

#endif
