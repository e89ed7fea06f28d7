/* waitgraph.h - who waits for whom; deadlocks as soon as they exist
 *
 * A task waits for the tasks whose futures it wants, and, unless it holds its cog, for
 * the task that does. It needs all of them, so a cycle of waiting tasks does not move
 * again, unless one of them ends without moving: its object dies (task_cycles.c). Paper: Gomez-Zamalloa and others on
 * deadlock-guided testing (blocking intervals, deadlock chains); docs/design/abs.md.
 */
#ifndef ABS_RUN_WAITGRAPH_H
#define ABS_RUN_WAITGRAPH_H

#include "abs/run/machine.h"

/* The cycle through a task that has just begun to wait; 0 if there is none. Fills at most
 * `room` tasks, the smallest first, each waiting for the next one; answers how many. */
uint32_t waitgraph_find_cycle(const Machine *machine, AgentId task, AgentId *cycle, uint32_t room);

/* Does the task need one of these (by task) to go on? */
bool waitgraph_waits_for(const Machine *machine, const Task *task, const uint8_t *tasks);

/* The holder of the task's cog that keeps it from running, or AGENT_NONE. */
AgentId waitgraph_holder(const Machine *machine, const Task *task);

#endif
