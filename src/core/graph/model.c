/* model.c - see model.h */
#include "core/graph/model.h"

#include <string.h>

void model_release(ModelScratch *scratch)
{
    VEC_FREE(&scratch->numbers);
    VEC_FREE(&scratch->edges);
    VEC_FREE(&scratch->bits);
}

/* No write comes between an update and the write that it reads. */
static bool updates_are_atomic(const Graph *graph, uint32_t location)
{
    const GraphLocation *at = &graph->locations.items[location];
    for (uint32_t i = 0; i < at->coherence.count; i++) {
        const GraphEvent *write = &graph->events.items[at->coherence.items[i]];
        if (write->kind != GRAPH_WRITE && graph_place(graph, write->source) + 1 != write->place)
            return false;
    }
    return true;
}

bool model_consistent(const Graph *graph, MemoryModel model, uint32_t fresh, ModelScratch *scratch)
{
    for (uint32_t e = fresh; e < graph->events.count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        if (event->location != GRAPH_NONE && !updates_are_atomic(graph, event->location))
            return false;
    }
    switch (model) {
    case MEMORY_SC: return model_sc(graph, scratch);
    case MEMORY_TSO: return model_tso(graph, scratch);
    case MEMORY_RC11: return model_rc11(graph, fresh, scratch);
    }
    return false;
}

/* ---- Directed graphs ---------------------------------------------------- */

Digraph digraph_start(ModelScratch *scratch, uint32_t n)
{
    scratch->edges.count = 0;
    return (Digraph){.scratch = scratch, .n = n};
}

void digraph_add(Digraph *digraph, uint32_t from, uint32_t to)
{
    if (from >= GRAPH_INITIAL)
        return;
    VEC_PUSH(&digraph->scratch->edges, from);
    VEC_PUSH(&digraph->scratch->edges, to);
}

/* Takes away nodes without incoming edges until none is left. `numbers`: for each node the number of its incoming
 * edges, then where its outgoing ones begin; then the targets, then the nodes to take away. */
bool digraph_acyclic(Digraph *digraph)
{
    ModelScratch *scratch = digraph->scratch;
    uint32_t n = digraph->n, edges = scratch->edges.count / 2, todo = 0, done = 0;
    VEC_RESERVE(&scratch->numbers, 3 * n + 2 + edges);
    uint32_t *in = scratch->numbers.items, *first = in + n, *target = first + n + 2, *ready = target + edges;
    const uint32_t *pair = scratch->edges.items;
    memset(in, 0, (2 * n + 2) * sizeof *in);
    for (uint32_t i = 0; i < edges; i++) {
        first[pair[2 * i] + 2]++;
        in[pair[2 * i + 1]]++;
    }
    for (uint32_t i = 2; i < n + 2; i++)
        first[i] += first[i - 1];
    for (uint32_t i = 0; i < edges; i++)
        target[first[pair[2 * i] + 1]++] = pair[2 * i + 1];
    for (uint32_t i = 0; i < n; i++)
        if (in[i] == 0)
            ready[todo++] = i;
    while (done < todo) {
        uint32_t node = ready[done++];
        for (uint32_t i = first[node]; i < first[node + 1]; i++)
            if (--in[target[i]] == 0)
                ready[todo++] = target[i];
    }
    return done == n;
}

void digraph_add_coherence(Digraph *digraph, const Graph *graph)
{
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        if (graph_is_write(event) && event->place > 1)
            digraph_add(digraph, graph_write_at(graph, event->location, event->place - 1), e);
        if (!graph_is_read(event))
            continue;
        uint32_t next = graph_place(graph, event->source) + 1;
        if (next <= graph_writes(graph, event->location) && graph_write_at(graph, event->location, next) != e)
            digraph_add(digraph, e, graph_write_at(graph, event->location, next));
    }
}

void digraph_add_needed(Digraph *digraph, const Graph *graph, uint32_t e)
{
    const uint32_t *clock = graph_clock(graph, e, CLOCK_NEEDED);
    for (uint32_t i = 0; i < graph->events.count; i++) {
        const GraphEvent *event = &graph->events.items[i];
        if (i != e && clock[event->agent] == event->index + 1)
            digraph_add(digraph, i, e);
    }
}
