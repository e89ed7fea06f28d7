/* actor_fault.h - faults of the network and of actors as inputs of an execution
 *
 * Whether a message is lost or duplicated is decided when it is sent, whether an actor crashes before each of its sends
 * and receives: at any other time nothing could observe a difference. Each decision is a step of its own that accesses
 * nothing, with a condition: "this does not happen", an input of the execution. A budget is a condition on these inputs
 * together, so decisions at different places exclude each other without being ordered. (ACT-5)
 */
#ifndef RT_ACTORS_ACTOR_FAULT_H
#define RT_ACTORS_ACTOR_FAULT_H

#include "base/region.h"
#include "rt/actors/actor.h"

/* Once, before the first process of a search. */
void actor_fault_init(Region *region);
void actor_fault_reset(void);
/* Decides whether the fault happens here to the actor or, if there is a receiver, to its message with this tag; both
 * outcomes are explored within the budget of the place (fault_rule.h). */
bool actor_fault(Fault fault, Actor *actor, const Actor *receiver, int tag);

/* The fault has happened in this execution. */
void actor_fault_count(Fault fault);
/* The execution is complete: its faults count. */
void actor_fault_note_all(void);
/* How often the fault happened in all complete executions; adds what happened on other machines. */
uint64_t actor_fault_total(Fault fault);
void actor_fault_add(Fault fault, uint64_t count);

/* Adds what is spent of the budgets. */
void actor_fault_add_state(Fingerprint *print);

/* Is the condition about a fault? */
bool fault_is_condition(uint32_t condition);
/* Which one. */
Fault fault_of(uint32_t condition);
/* ProgramOps.feasible as far as faults are concerned: a literal of a clause that is about
 * something else counts as one that can be false. */
bool fault_feasible(const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends, uint32_t clauses);

#endif
