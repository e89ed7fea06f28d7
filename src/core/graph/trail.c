/* trail.c - see trail.h */
#include "core/graph/trail.h"

void trail_reset(Trail *trail) { trail->decisions.count = 0; }

void trail_release(Trail *trail) { VEC_FREE(&trail->decisions); }

/* The decisions of the steps from `first` on. */
static void record(Trail *trail, const Execution *ex, uint32_t first)
{
    for (uint32_t i = first; i < ex->event_count; i++) {
        const Event *event = &ex->events[i];
        VEC_PUSH(&trail->decisions, event->agent);
        VEC_PUSH(&trail->decisions, event->choice_count);
        for (uint32_t c = 0; c < event->choice_count; c++)
            VEC_PUSH(&trail->decisions, ex->choices[event->first_choice + c].taken);
    }
}

/* Was the step decided as the trail says from `at` on? */
static bool decided_so(const Trail *trail, uint32_t at, const Execution *ex, const Event *event)
{
    const uint32_t *decided = &trail->decisions.items[at];
    if (at >= trail->decisions.count || decided[0] != event->agent || decided[1] != event->choice_count)
        return false;
    for (uint32_t c = 0; c < event->choice_count; c++)
        if (decided[2 + c] != ex->choices[event->first_choice + c].taken)
            return false;
    return true;
}

/* Has it overtaken the same step? */
static bool overtook_same(const Graph *graph, uint32_t overtook, const GraphJob *job, uint32_t planned)
{
    if (overtook == GRAPH_NONE || planned == GRAPH_NONE)
        return overtook == planned;
    const Overtaken *one = &graph->overtaken.items[overtook], *two = &job->overtaken[planned];
    return one->agent == two->agent && one->index == two->index && one->rank == two->rank;
}

/* Is the event what the job says, and nothing open in it? */
static bool is_planned_so(const Graph *graph, uint32_t e, const GraphJob *job, uint32_t choices)
{
    const GraphEvent *event = &graph->events.items[e];
    const GraphStep *step = &job->steps[e];
    return event->position == e && event->rank == step->rank && event->taken == step->taken && !step->frozen &&
           step->choice_count == choices && overtook_same(graph, event->overtook, job, step->overtook);
}

uint32_t trail_follow(Trail *trail, const Graph *graph, const GraphJob *job, const Execution *ex)
{
    bool fits = job && graph->ex == ex && graph->agents == ex->agent_count;
    uint32_t shared = 0, at = 0, most = fits ? job->count - 1 : 0;
    for (; shared < most && shared < ex->event_count && shared < graph->events.count; shared++) {
        const Event *step = &ex->events[shared];
        if (!decided_so(trail, at, ex, step) || !is_planned_so(graph, shared, job, step->choice_count))
            break;
        at += 2 + step->choice_count;
    }
    trail->decisions.count = at;
    record(trail, ex, shared);
    return shared;
}
