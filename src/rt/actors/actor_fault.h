/* actor_fault.h - faults of the network and of actors as inputs of an execution
 *
 * Whether a message is lost or duplicated is decided when it is sent, whether an actor crashes before each of its sends
 * and receives: at any other time nothing could observe a difference. Each decision is a step of its own that accesses
 * nothing, with a condition: "this does not happen", an input of the execution. A budget is a condition on these inputs
 * together, so decisions at different places exclude each other without being ordered. (ACT-5)
 */
#ifndef RT_ACTORS_ACTOR_FAULT_H
#define RT_ACTORS_ACTOR_FAULT_H

#include "rt/actors/actor.h"

void actor_fault_reset(void);
/* Decides whether the fault happens here; both outcomes are explored within the fault's budget. */
bool actor_fault(Actor *actor, Fault fault);

/* Is the condition about a fault? */
bool fault_is_condition(uint32_t condition);
/* ProgramOps.feasible as far as faults are concerned: a literal of a clause that is about
 * something else counts as one that can be false. */
bool fault_feasible(const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends, uint32_t clauses);

#endif
