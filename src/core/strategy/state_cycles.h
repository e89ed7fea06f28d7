/* state_cycles.h - executions that run for ever, in the graph of all states
 *
 * An endless execution is fair if every agent that can take a step all the time from some point on takes one again and
 * again (weak fairness), and every step that is strongly fair and possible again and again is taken again and again. It
 * fails an obligation that stays open. Such executions exist iff some set of states in which the obligation is open,
 * each reachable from each inside it, has an edge inside for each agent that is enabled in all of them, and for each
 * strongly fair step that is possible in some of them. The sets are looked for as Streett's condition is checked: the
 * strongly connected parts; where a strongly fair step is not taken inside one, its states without that step.
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
