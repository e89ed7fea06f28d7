/* model_tso.c - total store order, as x86 with the usual compilation of C11
 *
 * A write waits in a buffer while later reads of its thread go ahead. Updates, exchanges that fail, seq_cst fences and
 * strong steps drain the buffer; a seq_cst store is drained before anything behind it.
 */
#include "core/graph/model.h"

/* Per agent: the last event that everything behind it is ordered after, and the last one that writes are. */
typedef struct Front {
    uint32_t all, writes;
} Front;

static bool drains(const GraphEvent *event)
{
    return (event->locked && !event->frozen) || event->kind == GRAPH_STRONG ||
           (event->kind == GRAPH_FENCE && event->order == ORDER_SEQ_CST);
}

static void order_event(Digraph *digraph, const GraphEvent *event, uint32_t e, Front *front)
{
    bool writes = graph_is_write(event) || drains(event);
    digraph_add(digraph, front->all, e);
    if (writes && front->writes != front->all)
        digraph_add(digraph, front->writes, e);
    if (event->kind == GRAPH_READ || drains(event) || (event->kind == GRAPH_WRITE && event->order == ORDER_SEQ_CST))
        front->all = e;
    if (writes)
        front->writes = e;
}

/* Creating an agent drains the buffer behind the event in which it happens; so it is a node of its own, numbered
 * behind all events. */
static void order_creation(Digraph *digraph, uint32_t e, uint32_t node, Front *front)
{
    digraph_add(digraph, e, node);
    digraph_add(digraph, front->all, node);
    digraph_add(digraph, front->writes, node);
    *front = (Front){node, node};
}

/* Per agent and location, places in coherence order never decrease. */
static bool coherent(const Graph *graph, ModelScratch *scratch)
{
    uint32_t locations = graph->location_count;
    VEC_RESERVE(&scratch->numbers, graph->agents * locations + 1);
    uint32_t *newest = scratch->numbers.items;
    for (uint32_t i = 0; i < graph->agents * locations; i++)
        newest[i] = 0;
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        if (event->location == GRAPH_NONE || event->kind == GRAPH_LOCAL || event->kind == GRAPH_FENCE)
            continue;
        uint32_t *at = &newest[event->agent * locations + event->location];
        uint32_t place = graph_is_write(event) ? event->place : graph_place(graph, event->source);
        if (place < *at || (event->kind == GRAPH_WRITE && place == *at))
            return false;
        *at = place;
    }
    return true;
}

bool model_tso(const Graph *graph, ModelScratch *scratch)
{
    if (!coherent(graph, scratch))
        return false;
    uint32_t count = graph->events.count;
    Digraph digraph = digraph_start(scratch, 2 * count);
    VEC_RESERVE(&scratch->bits, graph->agents);
    Front *fronts = (Front *)scratch->bits.items;
    _Static_assert(sizeof(Front) == sizeof(uint64_t), "a front in a word");
    for (uint32_t e = 0; e < count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        Front *front = &fronts[event->agent];
        if (event->index == 0) {
            uint32_t creation = event->previous == GRAPH_NONE ? GRAPH_NONE : count + event->previous;
            *front = (Front){creation, creation};
        }
        order_event(&digraph, event, e, front);
        if (event->creates)
            order_creation(&digraph, e, count + e, front);
        if (graph_is_read(event) && event->source < GRAPH_INITIAL &&
            graph->events.items[event->source].agent != event->agent)
            digraph_add(&digraph, event->source, e);
        if (event->kind == GRAPH_STRONG)
            digraph_add_needed(&digraph, graph, e);
    }
    digraph_add_coherence(&digraph, graph);
    return digraph_acyclic(&digraph);
}
