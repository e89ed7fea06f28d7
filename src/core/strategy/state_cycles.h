/* state_cycles.h - executions that run for ever, in the graph of all states
 *
 * An endless execution is weakly fair if every step that stays possible from some point on is taken again and again.
 * It fails an obligation that stays open. Such executions exist iff some strongly connected part of the states in which
 * the obligation is open has, for each step possible in all of them, an edge that takes it.
 *
 * Nothing changes any more where, for each step possible in some state of a part, an edge takes it, changes nothing and
 * stays inside: then no schedule leads out of it.
 */
#ifndef CORE_STRATEGY_STATE_CYCLES_H
#define CORE_STRATEGY_STATE_CYCLES_H

#include "core/strategy/state_graph.h"

/* Edges, by number: a way from the node to itself. */
typedef struct StateCycle {
    uint32_t node;
    uint32_t *edges;
    uint32_t count, room;
} StateCycle;

enum { CYCLE_IDLE = 64 }; /* in place of an obligation: nothing changes */

/* Finds a fair cycle on which this obligation stays open. False if there is none. */
bool state_cycle_find(const StateGraph *graph, unsigned obligation, StateCycle *cycle);
void state_cycle_release(StateCycle *cycle);

/* From how many states no end of the program is reached, as far as is known: a step that leads to no state may end
 * it. */
uint32_t state_cycles_endless(const StateGraph *graph);

#endif
