/* held.h - which agent holds which lock, derived from the events
 *
 * The values of locks name their owners (resource.h), so nothing has to be kept up to
 * date while the program runs. All but held_pending also work on executions of other
 * processes.
 */
#ifndef RT_DETECT_HELD_H
#define RT_DETECT_HELD_H

#include "core/execution.h"

typedef struct HeldLock {
    uint64_t resource;   /* a name for ProgramOps.resource_name */
    uint64_t site;       /* where the agent acquired it         */
    uint32_t event;      /* in which step                       */
    bool shared;         /* for reading                         */
} HeldLock;

/* The agent that a waiter for `resource` waits for, given its value; AGENT_NONE if that is
 * not one agent. */
AgentId held_owner(uint64_t resource, int64_t value);
/* Does the agent hold the read-write lock for reading after `position` events? */
bool held_shared(const Execution *ex, uint32_t position, AgentId agent, uint64_t resource);
/* The locks that `agent` holds after the first `position` events of `ex`, oldest first.
 * Returns how many were written, at most `max`. */
uint32_t held_locks(const Execution *ex, uint32_t position, AgentId agent, HeldLock *locks, uint32_t max);
/* The agent that a blocked step with these accesses waits for after the first `position`
 * events: the owner of a lock or the thread to be joined; AGENT_NONE if that is not one agent. */
AgentId held_waits_for(const Execution *ex, uint32_t position, const Access *accesses, uint32_t count);
/* The lock that a step with these accesses waits for and acquires, or 0. The second step of a wait on a condition
 * variable acquires its mutex. */
uint64_t held_acquires(uint16_t op, const Access *accesses, uint32_t count);
/* The same, or else its first resource; 0 if it has none. */
uint64_t held_requests(uint16_t op, const Access *accesses, uint32_t count);
/* The guard of a blocked step that does not hold: the first one that waits for an agent of the finding, if there is
 * one. NULL if the step has no accesses. */
const Access *held_back_by(const Execution *ex, const Blocked *blocked, const Finding *finding);

/* While an execution runs: the operation that an agent is about to perform, with what it asks
 * for; false if it is over or has announced none. */
bool held_pending(AgentId agent, uint16_t *op, uint64_t *resource, uint64_t *site);

#endif
