/* state_cycles.h - executions that run for ever, in the graph of all states
 *
 * An endless execution is weakly fair if every step that stays possible from some point on is taken again and again.
 * It fails an obligation that stays open. Such executions exist iff some strongly connected part of the states in which
 * the obligation is open has, for each step possible in all of them, an edge that takes it.
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

/* Finds a fair cycle on which this obligation stays open. False if there is none. */
bool state_cycle_find(const StateGraph *graph, unsigned obligation, StateCycle *cycle);
void state_cycle_release(StateCycle *cycle);

#endif
