/* trail.h - what an execution shares with the one before
 *
 * An execution follows from its decisions: which agent took each step, and the choices in it. So the events of the
 * execution before stay in the graph as far as these are the same.
 */
#ifndef CORE_GRAPH_TRAIL_H
#define CORE_GRAPH_TRAIL_H

#include "base/vec.h"
#include "core/graph/jobs.h"

/* The decisions of an execution: for each step its agent, the number of its choices, and these. */
typedef struct Trail {
    VEC(uint32_t) decisions;
} Trail;

void trail_reset(Trail *trail);
void trail_release(Trail *trail);

/* The graph has the events of the execution that the trail is of; `ex` has followed the job (NULL: none). How many
 * events at its beginning are in the graph as they would be added again? In those nothing is left to decide. The trail
 * is then that of `ex`. */
uint32_t trail_follow(Trail *trail, const Graph *graph, const GraphJob *job, const Execution *ex);

#endif
