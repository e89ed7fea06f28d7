/* cause.c - see cause.h: shortest paths, searched backwards from the event */
#include "core/graph/cause.h"

#include <stdlib.h>
#include <string.h>

enum { COST_PROGRAM = 0, COST_READS = 1, COST_BEFORE = 1000 };

typedef struct PathSearch {
    const Graph *graph;
    bool causal;      /* only program order and what happens because of reads */
    uint32_t *cost;   /* of the path from an event to the end; UINT32_MAX: none is known */
    CauseLink *link;  /* the first link of that path */
    bool *done;
} PathSearch;

static void reach(PathSearch *search, uint32_t from, uint32_t to, CauseKind kind, uint32_t cost)
{
    if (from >= GRAPH_INITIAL || search->cost[to] + cost >= search->cost[from])
        return;
    search->cost[from] = search->cost[to] + cost;
    search->link[from] = (CauseLink){from, to, (uint8_t)kind};
}

/* A strong step happens after those that it conflicts and synchronises with. */
static void reach_strong(PathSearch *search, uint32_t e)
{
    const Graph *graph = search->graph;
    for (uint32_t s = 0; s < e; s++)
        if (graph_is_before(graph, s, e) && graph_happens_before(graph, s, e))
            reach(search, s, e, LINK_STRONG, COST_READS);
}

/* The write comes behind the one before it, and behind whatever reads that. */
static void reach_before(PathSearch *search, uint32_t e)
{
    const Graph *graph = search->graph;
    const GraphEvent *event = &graph->events.items[e];
    uint32_t older = graph_write_at(graph, event->location, event->place - 1);
    reach(search, older, e, LINK_BEFORE, COST_BEFORE);
    for (uint32_t r = 0; r < graph->events.count; r++) {
        const GraphEvent *read = &graph->events.items[r];
        if (r != e && graph_is_weak(read) && graph_is_read(read) && read->location == event->location &&
            graph_place(graph, read->source) < event->place)
            reach(search, r, e, LINK_BEFORE, COST_BEFORE);
    }
}

static void expand(PathSearch *search, uint32_t e)
{
    const GraphEvent *event = &search->graph->events.items[e];
    search->done[e] = true;
    reach(search, event->previous, e, LINK_PROGRAM, COST_PROGRAM);
    if (event->kind == GRAPH_STRONG)
        reach_strong(search, e);
    else if (graph_is_read(event))
        reach(search, event->source, e, LINK_READS, COST_READS);
    if (!search->causal && graph_is_weak(event) && graph_is_write(event))
        reach_before(search, e);
}

static uint32_t nearest(const PathSearch *search)
{
    uint32_t best = GRAPH_NONE;
    for (uint32_t e = 0; e < search->graph->events.count; e++)
        if (!search->done[e] && search->cost[e] != UINT32_MAX &&
            (best == GRAPH_NONE || search->cost[e] < search->cost[best]))
            best = e;
    return best;
}

static void add_link(Cause *cause, CauseLink link)
{
    CauseLink *last = cause->path.count ? &cause->path.items[cause->path.count - 1] : NULL;
    if (last && last->kind == LINK_PROGRAM && link.kind == LINK_PROGRAM)
        last->to = link.to;
    else
        VEC_PUSH(&cause->path, link);
    cause->is_causal = cause->is_causal && link.kind != LINK_BEFORE;
}

/* Where a path may begin. */
typedef struct PathStart {
    const Graph *graph;
    uint32_t location, place; /* a write of the location, behind this place */
    AgentId agent;            /* or, if this is not AGENT_NONE, a step of the agent */
    uint32_t index;           /* from this one on */
} PathStart;

static bool is_start(const PathStart *start, uint32_t e)
{
    const GraphEvent *event = &start->graph->events.items[e];
    if (start->agent != AGENT_NONE)
        return event->agent == start->agent && event->index >= start->index;
    return graph_is_weak(event) && graph_is_write(event) && event->location == start->location &&
           event->place > start->place;
}

static bool find_path(const Graph *graph, const PathStart *start, uint32_t end, bool causal, Cause *cause)
{
    uint32_t count = graph->events.count, e;
    PathSearch search = {.graph = graph, .causal = causal, .cost = mem_alloc(count * sizeof *search.cost),
                         .link = mem_alloc(count * sizeof *search.link), .done = mem_alloc(count)};
    memset(search.cost, 0xff, count * sizeof *search.cost);
    search.cost[end] = 0;
    *cause = (Cause){.is_causal = true};
    while ((e = nearest(&search)) != GRAPH_NONE && (e == end || !is_start(start, e)))
        expand(&search, e);
    for (; e != GRAPH_NONE && e != end; e = search.link[e].to)
        add_link(cause, search.link[e]);
    free(search.cost);
    free(search.link);
    free(search.done);
    return cause->path.count > 0;
}

bool cause_of_stale(const GraphRecord *record, uint32_t e, Cause *cause)
{
    const Graph *graph = &record->graph;
    const GraphEvent *event = &graph->events.items[e];
    uint32_t place = event->kind == GRAPH_WRITE ? event->place : graph_place(graph, event->source);
    PathStart start = {.graph = graph, .location = event->location, .place = place, .agent = AGENT_NONE};
    if (event->kind == GRAPH_UPDATE)
        start.place = event->place; /* it comes right behind what it reads */
    return find_path(graph, &start, e, true, cause) || find_path(graph, &start, e, false, cause);
}

bool cause_of_race(const GraphRecord *record, AgentId from, uint32_t index, AgentId to, Cause *cause)
{
    const Graph *graph = &record->graph;
    uint32_t end = graph->last.items[to];
    PathStart start = {.graph = graph, .agent = from, .index = index};
    *cause = (Cause){0};
    return end != GRAPH_NONE && find_path(graph, &start, end, true, cause);
}

void cause_release(Cause *cause) { VEC_FREE(&cause->path); }

/* ---- Links ------------------------------------------------------------------ */

bool cause_is_released(const GraphRecord *record, const CauseLink *link, AgentId agent, uint32_t index)
{
    return graph_clock(&record->graph, link->from, CLOCK_RELEASED)[agent] > index;
}

bool cause_is_acquired(const GraphRecord *record, const CauseLink *link, uint32_t end)
{
    const Graph *graph = &record->graph;
    const GraphEvent *to = &graph->events.items[link->to];
    if (to->order == ORDER_ACQUIRE || to->order >= ORDER_ACQ_REL)
        return true;
    for (uint32_t e = end; e != GRAPH_NONE && e != link->to; e = graph->events.items[e].previous) {
        const GraphEvent *event = &graph->events.items[e];
        if (event->kind == GRAPH_FENCE && (event->order == ORDER_ACQUIRE || event->order >= ORDER_ACQ_REL))
            return true;
    }
    return false;
}

bool cause_is_strong(const GraphRecord *record, uint32_t from, uint32_t to)
{
    const Graph *graph = &record->graph;
    if (graph->events.items[from].order == ORDER_SEQ_CST && graph->events.items[to].order == ORDER_SEQ_CST)
        return true;
    for (uint32_t e = to; e != GRAPH_NONE && e != from; e = graph->events.items[e].previous)
        if (graph->events.items[e].kind == GRAPH_FENCE && graph->events.items[e].order == ORDER_SEQ_CST)
            return true;
    return false;
}
