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
 * revisit.c   backward: reads that came too early;
 * overtake.c  the same for strong steps, which others overtake;
 * turns.c     which of several steps that overtake another one comes first;
 * maximal.c   what was added in the maximal way;
 * guards.c    what a strong step does where it was not executed;
 * settle.c    what of a job that was read from text belongs to this process;
 * trail.c     what an execution shares with the one before.
 */
#ifndef CORE_GRAPH_VISIT_H
#define CORE_GRAPH_VISIT_H

#include "core/graph/model.h"
#include "core/graph/stack.h"
#include "core/graph/trail.h"
#include "core/strategy.h"

/* What a step that overtakes another one does there; of one that is not enabled what it waits for. */
typedef struct StepOutcome {
    bool enabled;
    uint32_t first_touch, touch_count, first_choice, choice_count;
} StepOutcome;

typedef struct OvertakeScratch {
    Touches touches;
    VEC(Literal) choices;
    VEC(StepOutcome) outcomes;
    VEC(uint32_t) left;   /* steps that are left behind             */
    VEC(uint32_t) clocks; /* needs, to return to                    */
    VEC(uint32_t) need;   /* of an outcome                          */
} OvertakeScratch;

/* Who runs behind the plan (STRONG-5). */
typedef struct Turns {
    Picker picker;          /* first */
    Search *search;
    const GraphJob *job;
    uint32_t seen;          /* events that were looked at           */
    uint32_t slice;         /* steps that the current agent has left */
    VEC(bool) awake;        /* of the steps that must wait          */
} Turns;

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
    OvertakeScratch overtake;
    Turns turns;
} GraphVisit;

void visit_attach(GraphVisit *visit, Search *search);
void visit_release(GraphVisit *visit);

/* Finds the jobs of the execution that has ended. */
void visit_execution(GraphVisit *visit);

/* Is the execution that has ended of no interest? An agent waits, although its read is not one of the last write; or a
 * step came before its turn (STRONG-5). */
bool visit_is_redundant(GraphVisit *visit);

/* The picker for a job; NULL if the default policy will do. */
Picker *turns_picker(GraphVisit *visit, const GraphJob *job);

/* A copy of a job that was read from text, with what its overtaken steps accessed; search->probe contains a run of it.
 * Memory from the region. */
GraphJob *settle_overtaken(GraphVisit *visit, Region *region, const GraphJob *job);

/* ---- Between the files -------------------------------------------------- */

/* Keeps a graph as a job, if it is consistent; its events from `fresh` on are new. */
void visit_push(GraphVisit *visit, const Graph *graph, uint32_t fresh, bool revisited);
/* Keeps a graph that is consistent as a job. */
void visit_keep(GraphVisit *visit, const Graph *graph, const GraphExtra *extra, bool revisited);
/* Are there inputs for these literals? */
bool visit_feasible(const GraphVisit *visit, const Literal *literals, uint32_t count);
/* Runs the graph in `other`, with these choices of its last event behind those that it has; true if that event is in
 * search->probe then. */
bool visit_probe(GraphVisit *visit, const Literal *choices, uint32_t count);

/* Has the partial run that comes next killed an earlier process? To be asked once before each. */
bool visit_crashed_before(GraphVisit *visit);
/* Runs the plan of search->probe. */
void visit_run_probe(GraphVisit *visit);

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

/* The strong steps that a strong one can overtake. */
void overtake_all(GraphVisit *visit, const GraphEvent *event);

/* What the strong step at `position` would access behind the needed events alone, added to `touches`; of one that is
 * not enabled there what it waits for. */
typedef enum InContext { CONTEXT_DISABLED, CONTEXT_KNOWN, CONTEXT_UNKNOWN /* it must be run */ } InContext;
InContext guards_resolve(GraphVisit *visit, uint32_t position, Touches *touches);

/* Would a strong step of this agent, which accesses and needs this, come before its turn? */
bool turns_violated(const Graph *graph, AgentId agent, uint32_t index, const Touch *touches, uint32_t count,
                    const uint32_t *need);
/* Can some step come before its turn if one that accesses `by` overtakes one that accesses `touches`? */
bool turns_matter(const Touch *touches, uint32_t count, const Touch *by, uint32_t by_count);
/* Does the last event of the graph come before its turn? */
bool turns_violated_by_last(const Graph *graph, Touches *scratch);

#endif
