/* jobs.c - see jobs.h */
#include "core/graph/jobs.h"

#include <string.h>

/* The first choice of a weak event when the events before `e` have been run: how many writes come behind the one that
 * it reads, or behind itself. */
static uint32_t newer_writes(const Graph *graph, uint32_t e)
{
    const GraphEvent *event = &graph->events.items[e];
    uint32_t place = event->kind == GRAPH_WRITE ? event->place : graph_place(graph, event->source), newer = 0;
    for (uint32_t p = place + 1; p <= graph_writes(graph, event->location); p++)
        newer += graph_write_at(graph, event->location, p) < e;
    return newer;
}

/* Writes the choices of an event and returns their number. */
static uint32_t plan_choices(const Graph *graph, uint32_t e, Literal *into)
{
    const GraphEvent *event = &graph->events.items[e];
    const Choice *choices = NULL;
    uint32_t count = graph_choices(graph, event->position, &choices), first = 0;
    if (graph_is_weak(event))
        into[first++] = (Literal){.taken = newer_writes(graph, e)};
    for (; first < count && first < event->planned; first++)
        into[first] = (Literal){.condition = choices[first].condition, .taken = choices[first].taken};
    return first;
}

static size_t job_size(uint32_t steps, uint32_t choices, uint32_t held)
{
    return sizeof(GraphJob) + steps * sizeof(GraphStep) + choices * sizeof(Literal) + held * sizeof(HeldAgent);
}

static uint32_t count_frozen(const Graph *graph)
{
    uint32_t sum = 0;
    for (uint32_t e = 0; e < graph->events.count; e++)
        sum += graph->events.items[e].frozen;
    return sum;
}

static uint32_t count_choices(const Graph *graph)
{
    uint32_t sum = 0;
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const Choice *choices;
        sum += graph_choices(graph, graph->events.items[e].position, &choices) + 1;
    }
    return sum;
}

GraphJob *graphjob_create(Region *region, const Graph *graph)
{
    uint32_t count = graph->events.count, room = count_choices(graph), frozen = count_frozen(graph), used = 0;
    GraphJob *job = region_alloc(region, job_size(count, room, frozen));
    *job = (GraphJob){.count = count, .choice_count = room, .steps = (GraphStep *)(job + 1)};
    job->choices = (Literal *)(job->steps + count);
    job->held = (HeldAgent *)(job->choices + room);
    for (uint32_t e = 0; e < count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        uint32_t planned = event->frozen ? 0 : plan_choices(graph, e, &job->choices[used]);
        job->steps[e] = (GraphStep){.agent = event->agent,
                                    .rank = event->rank,
                                    .choice_count = (uint16_t)planned,
                                    .taken = event->taken,
                                    .frozen = event->frozen,
                                    .source = event->source};
        if (event->frozen)
            job->held[job->held_count++] = (HeldAgent){event->agent, event->index};
        used += planned;
    }
    return job;
}

void graphjob_destroy(Region *region, GraphJob *job)
{
    region_free(region, job, job_size(job->count, job->choice_count, job->held_count));
}

void graphjob_plan(const GraphJob *job, Execution *ex)
{
    uint32_t used = 0, length = 0;
    for (uint32_t i = 0; i < job->count; i++) {
        const GraphStep *step = &job->steps[i];
        if (step->frozen)
            continue;
        ex->plan[length++] = (PlanStep){.agent = step->agent, .choice_count = step->choice_count, .first_choice = used};
        used += step->choice_count;
    }
    memcpy(ex->plan_choices, job->choices, used * sizeof *job->choices);
    ex->plan_length = length;
    ex->held = job->held;
    ex->held_count = job->held_count;
}

void graph_plan(const Graph *graph, Execution *ex)
{
    uint32_t used = 0, length = 0;
    for (uint32_t e = 0; e < graph->events.count; e++) {
        if (graph->events.items[e].frozen)
            continue;
        uint32_t planned = plan_choices(graph, e, &ex->plan_choices[used]);
        ex->plan[length++] = (PlanStep){
            .agent = graph->events.items[e].agent, .choice_count = (uint16_t)planned, .first_choice = used};
        used += planned;
    }
    ex->plan_length = length;
}
