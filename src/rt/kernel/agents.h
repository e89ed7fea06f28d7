/* agents.h - numbers and names of agents, the same in all executions and worker processes
 *
 * An agent is named by its creator and by being its nth child; the number of a name is
 * interned in a table that all workers share and that only grows. Numbers are given in the order in which a search
 * meets the agents: what the program can see of an agent follows from its path instead (seat.h), and traces carry the
 * numbers.
 */
#ifndef RT_KERNEL_AGENTS_H
#define RT_KERNEL_AGENTS_H

#include "rt/kernel/runtime.h"

/* The table with agent 0 alone. */
void agents_init(RtShared *shared);
/* The number of the nth child of `creator`; AGENT_NONE if there are too many. */
AgentId agents_intern(AgentId creator, uint32_t nth);
/* The name of an agent as a path from main: "0", "0.2.1". */
void agents_path(AgentId agent, char *text, size_t size);
/* The agent of a path; AGENT_NONE if it is not one, or there are too many agents. */
AgentId agents_find(const char *path);
/* Gives the agent of a path a number that another process gave it. False if it has another one here already, or the
 * number is taken. */
bool agents_number(const char *path, AgentId number);
/* A function of the path alone. */
uint64_t agents_hash(AgentId agent);

#endif
