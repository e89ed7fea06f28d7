/* actor_fault.h - faults of the network as inputs of an execution */
#ifndef RT_ACTORS_ACTOR_FAULT_H
#define RT_ACTORS_ACTOR_FAULT_H

#include "core/event.h"

/* Is the condition about a fault? */
bool fault_is_condition(uint32_t condition);
/* See ProgramOps.feasible, as far as faults are concerned: a literal of a clause that is about
 * something else counts as one that can be false. */
bool fault_feasible(const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends, uint32_t clauses);

#endif
