/* linear.c - see linear.h
 *
 * An event must come behind those it needs: the one before it in program order, the one it reads, and strong steps that
 * it conflicts with. It should come
 * behind its predecessors in coherence order and behind the reads of those; otherwise one of the two is stale.
 */
#include "core/graph/linear.h"

#include <stdlib.h>

typedef struct Linear {
    const Graph *graph;
    const bool *keep;
    uint32_t *needs;   /* per event: how many that it must come behind are left                        */
    uint32_t *wants;   /* the same of those that it should come behind                                 */
    uint32_t *wanted;  /* per event: the one that should come behind it, or GRAPH_NONE                 */
    bool *done;
} Linear;

/* The next write in coherence order that is kept. */
static uint32_t next_write(const Linear *linear, uint32_t e)
{
    const Graph *graph = linear->graph;
    const GraphEvent *event = &graph->events.items[e];
    if (!graph_is_weak(event))
        return GRAPH_NONE;
    uint32_t place = graph_is_write(event) ? event->place : graph_place(graph, event->source);
    for (uint32_t p = place + 1; p <= graph_writes(graph, event->location); p++)
        if (linear->keep[graph_write_at(graph, event->location, p)])
            return graph_write_at(graph, event->location, p);
    return GRAPH_NONE;
}

static uint32_t needed_source(const GraphEvent *event)
{
    return graph_is_read(event) && event->source < GRAPH_INITIAL ? event->source : GRAPH_NONE;
}

static Linear start(const Graph *graph, const bool *keep)
{
    uint32_t count = graph->events.count;
    Linear linear = {.graph = graph, .keep = keep, .done = mem_alloc(count + 1)};
    linear.needs = mem_alloc((3 * (size_t)count + 1) * sizeof *linear.needs);
    linear.wants = linear.needs + count;
    linear.wanted = linear.wants + count;
    for (uint32_t e = 0; e < count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        linear.needs[e] = (event->previous != GRAPH_NONE) + (needed_source(event) != GRAPH_NONE);
        for (uint32_t k = 0; k < e; k++)
            linear.needs[e] += graph_is_before(graph, k, e);
        linear.wanted[e] = keep[e] ? next_write(&linear, e) : GRAPH_NONE;
        linear.done[e] = !keep[e];
    }
    for (uint32_t e = 0; e < count; e++)
        if (linear.wanted[e] != GRAPH_NONE)
            linear.wants[linear.wanted[e]]++;
    return linear;
}

static void finish(Linear *linear)
{
    free(linear->needs);
    free(linear->done);
}

static void take(Linear *linear, uint32_t e)
{
    const Graph *graph = linear->graph;
    linear->done[e] = true;
    for (uint32_t k = e + 1; k < graph->events.count; k++) {
        const GraphEvent *event = &graph->events.items[k];
        linear->needs[k] -= (event->previous == e) + (needed_source(event) == e) + graph_is_before(graph, e, k);
    }
    if (linear->wanted[e] != GRAPH_NONE)
        linear->wants[linear->wanted[e]]--;
}

/* Of the events that can come next one that leaves the fewest stale, if possible of `agent`. */
static uint32_t choose(const Linear *linear, AgentId agent, Rng *rng)
{
    const Graph *graph = linear->graph;
    uint32_t best = GRAPH_NONE, equal = 0;
    for (uint32_t e = 0; e < graph->events.count; e++) {
        if (linear->done[e] || linear->needs[e] > 0)
            continue;
        bool its = graph->events.items[e].agent == agent;
        bool was = best != GRAPH_NONE && graph->events.items[best].agent == agent;
        if (best != GRAPH_NONE && (linear->wants[e] > linear->wants[best] ||
                                   (linear->wants[e] == linear->wants[best] && was && !its)))
            continue;
        if (best == GRAPH_NONE || linear->wants[e] < linear->wants[best] || its != was)
            equal = 0;
        if (rng_below(rng, ++equal) == 0)
            best = e;
    }
    return best;
}

/* How many writes that come behind what the event reads, or behind itself, are done. */
static uint32_t newer_writes(const Linear *linear, const GraphEvent *event)
{
    const Graph *graph = linear->graph;
    uint32_t place = event->kind == GRAPH_WRITE ? event->place : graph_place(graph, event->source), newer = 0;
    for (uint32_t p = place + 1; p <= graph_writes(graph, event->location); p++) {
        uint32_t write = graph_write_at(graph, event->location, p);
        newer += linear->keep[write] && linear->done[write];
    }
    return newer;
}

/* Plans the event as the next step; true if it is stale. */
static bool plan_event(const Linear *linear, uint32_t e, Execution *ex, uint32_t *used)
{
    const GraphEvent *event = &linear->graph->events.items[e];
    const Choice *choices = NULL;
    uint32_t count = graph_choices(linear->graph, event->position, &choices), first = *used;
    for (uint32_t c = 0; c < count; c++)
        ex->plan_choices[(*used)++] = (Literal){.condition = choices[c].condition, .taken = choices[c].taken};
    if (graph_is_weak(event))
        ex->plan_choices[first].taken = newer_writes(linear, event);
    ex->plan[ex->plan_length++] =
        (PlanStep){.agent = event->agent, .choice_count = (uint16_t)count, .first_choice = first};
    return graph_is_weak(event) && ex->plan_choices[first].taken > 0;
}

uint32_t linear_plan(const Graph *graph, const bool *keep, Rng *rng, Execution *ex)
{
    Linear linear = start(graph, keep);
    AgentId agent = AGENT_NONE;
    uint32_t used = 0, stale = 0, next;
    ex->plan_length = 0;
    while ((next = choose(&linear, agent, rng)) != GRAPH_NONE) {
        agent = graph->events.items[next].agent;
        stale += plan_event(&linear, next, ex, &used);
        take(&linear, next);
    }
    finish(&linear);
    return stale;
}
