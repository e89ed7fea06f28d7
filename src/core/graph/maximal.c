/* maximal.c - which events were added in the maximal way
 *
 * A write that is the last in coherence order and that nothing which stays has read, a read of the last write, a strong
 * step that has overtaken none, the first of several outcomes; counting only what was there before the event and what
 * the revisiting event needs. Of all
 * graphs from which a revisit leads to the same graph, exactly one has only such events where others are taken away:
 * so every graph is visited once.
 */
#include "core/graph/visit.h"

/* Was `q` there when `e` was added, or is it needed? */
static bool previous(const GraphVisit *visit, uint32_t q, uint32_t e)
{
    const GraphEvent *events = visit->graph.events.items;
    return q == GRAPH_INITIAL || events[q].rank <= events[e].rank || visit_needs(visit, q);
}

static bool before(const GraphVisit *visit, uint32_t q, uint32_t e) { return q != e && previous(visit, q, e); }

static bool is_read_by_previous(const GraphVisit *visit, uint32_t e)
{
    const Graph *graph = &visit->graph;
    for (uint32_t q = 0; q < graph->events.count; q++)
        if (graph->events.items[q].source == e && previous(visit, q, e))
            return true;
    return false;
}

/* Is no newer write than the one at `place` among the previous ones? */
static bool is_newest(const GraphVisit *visit, uint32_t e, uint32_t place)
{
    const Graph *graph = &visit->graph;
    uint32_t location = graph->events.items[e].location;
    for (uint32_t p = place + 1; p <= graph_writes(graph, location); p++)
        if (before(visit, graph_write_at(graph, location, p), e))
            return false;
    return true;
}

/* Does everything that was there before `e` read what was there too? */
static bool is_closed(const GraphVisit *visit, uint32_t e)
{
    const Graph *graph = &visit->graph;
    for (uint32_t q = 0; q < graph->events.count; q++) {
        uint32_t source = graph->events.items[q].source;
        if (before(visit, q, e) && source < GRAPH_INITIAL && !before(visit, source, e))
            return false;
    }
    return true;
}

static bool reads_maximally(const GraphVisit *visit, uint32_t e)
{
    const Graph *graph = &visit->graph;
    const GraphEvent *event = &graph->events.items[e];
    if (event->source != GRAPH_INITIAL && !before(visit, event->source, e))
        return false;
    return is_newest(visit, e, graph_place(graph, event->source));
}

/* ---- Outcomes --------------------------------------------------------------- */

/* The conditions that the first `limit` choices of an event decided. */
static void add_literals(GraphVisit *visit, uint32_t e, uint32_t limit)
{
    const Choice *choices;
    uint32_t count = graph_choices(&visit->graph, visit->graph.events.items[e].position, &choices);
    for (uint32_t c = 0; c < count && c < limit; c++)
        if (choices[c].condition)
            VEC_PUSH(&visit->literals, ((Literal){.condition = choices[c].condition, .taken = choices[c].taken}));
}

/* A condition holds, unless that is impossible. */
static bool is_first_outcome(GraphVisit *visit, uint32_t e, uint32_t nth, const Choice *choice)
{
    if (choice->taken == 0 || !choice->condition)
        return choice->taken == 0;
    visit->literals.count = 0;
    for (uint32_t q = 0; q < visit->graph.events.count; q++)
        if (before(visit, q, e))
            add_literals(visit, q, UINT32_MAX);
    add_literals(visit, e, nth);
    VEC_PUSH(&visit->literals, ((Literal){.condition = choice->condition}));
    return !visit_feasible(visit, visit->literals.items, visit->literals.count);
}

static bool chooses_maximally(GraphVisit *visit, uint32_t e)
{
    const GraphEvent *event = &visit->graph.events.items[e];
    const Choice *choices;
    uint32_t count = graph_choices(&visit->graph, event->position, &choices);
    for (uint32_t c = graph_is_weak(event) ? 1 : 0; c < count; c++)
        if (!is_first_outcome(visit, e, c, &choices[c]))
            return false;
    return true;
}

bool maximal_event(GraphVisit *visit, uint32_t e)
{
    const GraphEvent *event = &visit->graph.events.items[e];
    if (event->taken || (graph_is_write(event) && is_read_by_previous(visit, e)))
        return false;
    switch ((GraphKind)event->kind) {
    case GRAPH_LOCAL:
    case GRAPH_FENCE: break;
    case GRAPH_WRITE:
        if (!is_newest(visit, e, event->place))
            return false;
        break;
    case GRAPH_READ:
        if (!reads_maximally(visit, e))
            return false;
        break;
    case GRAPH_STRONG: break; /* it came behind everything that it conflicts with */
    case GRAPH_UPDATE:
        if (!is_closed(visit, e) || !reads_maximally(visit, e))
            return false;
        break;
    }
    return chooses_maximally(visit, e);
}
