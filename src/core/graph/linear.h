/* linear.h - the events of a graph in an order that is easy to understand
 *
 * A graph can be run in many orders. Best is one in which every step takes the last write there is, so that nothing is
 * stale; there is such an order if and only if the graph is sequentially consistent. Next best is one in which few
 * steps are stale, and in which an agent runs as long as it can.
 */
#ifndef CORE_GRAPH_LINEAR_H
#define CORE_GRAPH_LINEAR_H

#include "base/rng.h"
#include "core/graph/graph.h"

/* Finds an order of the events for which `keep` is true, which must be closed under what they need, and makes it the
 * plan of `ex`. Greedy, by chance where that has no preference. Returns the number of stale steps. */
uint32_t linear_plan(const Graph *graph, const bool *keep, Rng *rng, Execution *ex);

#endif
