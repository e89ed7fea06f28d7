/* held.h - who holds which lock, read off the events
 *
 * Locks tell their owners by their values (step.h), so nothing has to be kept up to
 * date while the program runs.
 */
#ifndef RT_DETECT_HELD_H
#define RT_DETECT_HELD_H

#include "rt/kernel/runtime.h"

/* The agent that a waiter for `resource` waits for, given its value; AGENT_NONE if that is
 * not one agent. */
AgentId held_owner(uint64_t resource, int64_t value);
/* Does the agent hold the read-write lock for reading after `position` events? */
bool held_shared(const Execution *ex, uint32_t position, AgentId agent, uint64_t resource);

#endif
