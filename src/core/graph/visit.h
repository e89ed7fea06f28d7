/* visit.h - the graphs that an execution leads to
 *
 *     visit(G):  a := the next event of some agent
 *       read:    for every write of its location: visit(G + a reading from it)
 *       write:   at every place in coherence order: visit(G + a)
 *                for every read r of its location, added before and not needed by a:
 *                    take away what was added after r and is not needed by a, let r read from a,
 *                    if r and everything taken away was added in the maximal way
 *       else:    visit(G + a)
 *
 * An execution follows the maximal choices of this recursion to its end; the others become jobs. The algorithm is that
 * of Kokologiannakis et al., "Truly stateless, optimal dynamic partial order reduction" (POPL 2022), with steps that
 * wait instead of blocking (docs/design/graphs.md).
 *
 * visit.c     an execution, event by event: forward choices;
 * revisit.c   backward: reads that came too early, steps that are overtaken;
 * maximal.c   what was added in the maximal way;
 * guards.c    whether a strong step is enabled behind another one;
 * trail.c     what an execution shares with the one before.
 */
#ifndef CORE_GRAPH_VISIT_H
#define CORE_GRAPH_VISIT_H

#include "core/graph/model.h"
#include "core/graph/stack.h"
#include "core/graph/trail.h"
#include "core/strategy.h"

typedef struct GraphVisit {
    Search *search;
    GraphState *state;
    MemoryModel memory;
    Graph graph;         /* the events of the execution so far                 */
    Trail trail;         /* how they were decided                              */
    Graph other;         /* one derived from it                                */
    ModelScratch scratch;
    uint32_t next_rank;
    VEC(bool) keep;
    VEC(uint32_t) names;
    VEC(uint32_t) need;  /* clock: what the revisiting event needs             */
    VEC(Literal) literals;
    VEC(int64_t) values;
} GraphVisit;

/* Finds the jobs of the execution that has ended. False if the search must begin again: groups were joined. */
bool visit_execution(GraphVisit *visit);

/* Does an agent wait in the execution that has ended, although its read is not one of the last write? */
bool visit_is_detour(GraphVisit *visit);

/* ---- Between the files -------------------------------------------------- */

/* Keeps a graph as a job, if it is consistent; its events from `fresh` on are new. */
void visit_push(GraphVisit *visit, const Graph *graph, uint32_t fresh, bool revisited);
/* Are there inputs for these literals? */
bool visit_feasible(const GraphVisit *visit, const Literal *literals, uint32_t count);
/* Runs the graph in `other`; true if its last event is in search->probe then. */
bool visit_probe(GraphVisit *visit);

/* The revisits of an event that writes, to be added with its source set. `known`: it was executed with that source. */
void revisit_all(GraphVisit *visit, const GraphEvent *event, bool known);

/* Is the event in what the revisiting event needs? */
static inline bool visit_needs(const GraphVisit *visit, uint32_t e)
{
    const GraphEvent *event = &visit->graph.events.items[e];
    return visit->need.items[event->agent] > event->index;
}
/* Was the event added in the maximal way, counting only what was there before it and what is needed? */
bool maximal_event(GraphVisit *visit, uint32_t e);

/* Whether the guards of a strong step hold behind `source` in its group. `unknown` is the answer where the values that
 * were recorded do not tell. */
bool guards_hold_behind(GraphVisit *visit, uint32_t position, uint32_t source, bool unknown);
/* Whether the guards of the strong step at `position` hold behind a strong step that did what `accesses` say, which
 * itself was taken behind `source`. */
bool guards_hold_after(GraphVisit *visit, uint32_t position, const Access *accesses, uint32_t count, uint32_t source);
/* Would the strong step do the same behind `source` as it did where it was executed? */
bool guards_same_behind(GraphVisit *visit, uint32_t position, uint32_t source);

#endif
