/* seat.h - which part of the address space an agent has
 *
 * A seat is a number from which the addresses of an agent's stack, heap and identity and the handle of a thread follow.
 * Programs can see and compare these, so a seat is a function of an agent's path from main, counting threads and actors
 * alone: the same in every schedule and process. Agent numbers are not, since they are given in the order in which a
 * search meets the agents.
 *
 * There are more paths than seats. Children of main have the seat of their own number. The path of any other agent is
 * coded as a number, digit by digit, the frequent small ones in few bits: 1 as 0, 2 as 10, 3 and 4 as 110x, 5 to 8 as
 * 1110xx. Agents whose code is longer than SEAT_BITS get a seat by their agent number (RT-6).
 */
#ifndef RT_KERNEL_SEAT_H
#define RT_KERNEL_SEAT_H

#include "base/error.h"
#include "rt/kernel/runtime.h"

/* Once per process, after the options are known. */
bool seat_init(Error *error);
/* The seat of the nth child of the agent that has the seat `creator`. */
uint32_t seat_of_child(uint32_t creator, uint32_t nth, AgentId agent);
/* The seats of the agents that share another's strand, for what they do not share. */
static inline uint32_t seat_of_other(AgentId agent) { return SEAT_OTHERS + agent; }

/* The thread or actor takes its seat, as the next child of `namer`; NULL: main. */
void seat_take(Thread *thread, Thread *namer);
/* It has the seat again, which others have had meanwhile. */
void seat_return(const Thread *thread);
/* The agent that took a seat last, perhaps in an earlier execution; AGENT_NONE if there is none. */
AgentId seat_agent(uint32_t seat);

/* What programs take for the number of an agent of this execution, and the agent of such a number or AGENT_NONE. */
uint32_t seat_number(AgentId agent);
AgentId seat_find(uint64_t number);

#endif
