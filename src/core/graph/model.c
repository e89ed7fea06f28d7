/* model.c - see model.h */
#include "core/graph/model.h"

#include <string.h>

void model_release(ModelScratch *scratch)
{
    VEC_FREE(&scratch->numbers);
    VEC_FREE(&scratch->edges);
    VEC_FREE(&scratch->events);
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

/* The edges sorted by where they come from, or by where they go to if they are turned round: those of node i are at
 * `first[i]` up to `first[i + 1]`. `room` has n + 2 numbers for `first`, then one for each edge. */
static void sort_edges(const Digraph *digraph, bool turned, uint32_t *first)
{
    const uint32_t *pair = digraph->scratch->edges.items;
    uint32_t n = digraph->n, edges = digraph->scratch->edges.count / 2, *target = first + n + 2;
    memset(first, 0, (n + 2) * sizeof *first);
    for (uint32_t i = 0; i < edges; i++)
        first[pair[2 * i + turned] + 2]++;
    for (uint32_t i = 2; i < n + 2; i++)
        first[i] += first[i - 1];
    for (uint32_t i = 0; i < edges; i++)
        target[first[pair[2 * i + turned] + 1]++] = pair[2 * i + !turned];
}

/* Room for the sorted edges, and two more numbers for each node behind them. */
static uint32_t *reserve_numbers(Digraph *digraph)
{
    ModelScratch *scratch = digraph->scratch;
    VEC_RESERVE(&scratch->numbers, 3 * digraph->n + 2 + scratch->edges.count / 2);
    return scratch->numbers.items;
}

/* Takes away nodes without incoming edges until none is left. */
bool digraph_acyclic(Digraph *digraph)
{
    uint32_t n = digraph->n, edges = digraph->scratch->edges.count / 2, todo = 0, done = 0;
    uint32_t *first = reserve_numbers(digraph), *target = first + n + 2, *in = target + edges, *ready = in + n;
    sort_edges(digraph, false, first);
    memset(in, 0, n * sizeof *in);
    for (uint32_t i = 0; i < edges; i++)
        in[target[i]]++;
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

/* Marks what is reached from the nodes from `fresh` on; returns how many nodes that are. */
static uint32_t reach(const Digraph *digraph, uint32_t fresh, const uint32_t *first, uint32_t *marks, uint32_t mark,
                      uint32_t *todo)
{
    const uint32_t *target = first + digraph->n + 2;
    uint32_t count = 0;
    for (uint32_t i = fresh; i < digraph->n; i++) {
        marks[i] |= mark;
        todo[count++] = i;
    }
    for (uint32_t done = 0; done < count; done++)
        for (uint32_t i = first[todo[done]]; i < first[todo[done] + 1]; i++)
            if (!(marks[target[i]] & mark)) {
                marks[target[i]] |= mark;
                todo[count++] = target[i];
            }
    return count;
}

uint32_t digraph_around(Digraph *digraph, uint32_t fresh, const uint32_t **around)
{
    enum { REACHED = 1, REACHES = 2 };
    uint32_t n = digraph->n, edges = digraph->scratch->edges.count / 2, count = 0;
    uint32_t *first = reserve_numbers(digraph), *marks = first + n + 2 + edges, *todo = marks + n;
    memset(marks, 0, n * sizeof *marks);
    sort_edges(digraph, false, first);
    if (reach(digraph, fresh, first, marks, REACHED, todo) == n - fresh)
        return 0;
    sort_edges(digraph, true, first);
    reach(digraph, fresh, first, marks, REACHES, todo);
    for (uint32_t i = 0; i < n; i++)
        if (marks[i] == (REACHED | REACHES))
            todo[count++] = i;
    *around = todo;
    return count;
}

/* Of what a strong event needs, what the event before it does not need. `at`: per agent, where the numbers of its
 * events begin. */
static void add_new_needs(Digraph *digraph, const Graph *graph, uint32_t e, const uint32_t *at)
{
    const GraphEvent *event = &graph->events.items[e];
    const uint32_t *needed = graph_clock(graph, e, CLOCK_NEEDED);
    const uint32_t *before = event->previous == GRAPH_NONE ? NULL : graph_clock(graph, event->previous, CLOCK_NEEDED);
    for (AgentId agent = 0; agent < graph->agents; agent++)
        if (agent != event->agent && needed[agent] > (before ? before[agent] : 0))
            digraph_add(digraph, at[at[agent] + needed[agent] - 1], e);
}

/* The numbers of the events of each agent, in program order: those of an agent begin at the number that stands at its
 * own place. */
static const uint32_t *number_events(ModelScratch *scratch, const Graph *graph)
{
    uint32_t agents = graph->agents, next = agents;
    VEC_RESERVE(&scratch->events, agents + graph->events.count + 1);
    uint32_t *at = scratch->events.items;
    for (AgentId agent = 0; agent < agents; agent++) {
        uint32_t last = graph->last.items[agent];
        at[agent] = next;
        next += last == GRAPH_NONE ? 0 : graph->events.items[last].index + 1;
    }
    for (uint32_t e = 0; e < graph->events.count; e++)
        at[at[graph->events.items[e].agent] + graph->events.items[e].index] = e;
    return at;
}

void digraph_add_all(Digraph *digraph, const Graph *graph)
{
    const uint32_t *at = number_events(digraph->scratch, graph);
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        digraph_add(digraph, event->previous, e);
        if (graph_is_read(event))
            digraph_add(digraph, event->source, e);
        if (event->kind == GRAPH_STRONG)
            add_new_needs(digraph, graph, e, at);
    }
    digraph_add_coherence(digraph, graph);
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
