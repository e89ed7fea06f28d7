/* settle.c - what of a job that was read from text belongs to this process
 *
 * Names of resources belong to a process. So the text says of a step that was overtaken, or that must wait, only which
 * one it is and its rank. What it accessed is found by running it again behind the events of smaller rank, which are
 * all there (STRONG-4). It was added in the maximal way.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "core/graph/visit.h"
#include "core/schedule.h"

/* The events of the job that were executed, with their ranks. */
static void build_graph(Graph *graph, const Execution *ex, const GraphJob *job)
{
    uint32_t position = 0;
    graph_init(graph);
    graph_start(graph, ex, ex->agent_count, ex->event_count + 1);
    for (uint32_t i = 0; i < job->count; i++) {
        if (job->steps[i].frozen || position == ex->event_count)
            continue;
        GraphEvent event = graph_describe(graph, position++);
        uint32_t behind = graph_set_source(graph, &event);
        event.rank = job->steps[i].rank;
        graph_add(graph, event, behind);
    }
}

/* The plan of the events before a rank, and a step of the agent. */
static Schedule *plan_before(GraphVisit *visit, const Graph *graph, const Overtaken *overtaken)
{
    Execution *probe = visit->search->probe;
    VEC_RESERVE(&visit->keep, graph->events.count);
    VEC_RESERVE(&visit->names, graph->events.count);
    for (uint32_t e = 0; e < graph->events.count; e++)
        visit->keep.items[e] = graph->events.items[e].rank < overtaken->rank;
    graph_restrict(&visit->other, graph, visit->keep.items, overtaken->rank, visit->names.items, 1);
    graph_plan(&visit->other, probe);
    uint32_t length = probe->plan_length++, used = length ? probe->plan[length - 1].first_choice : 0;
    used += length ? probe->plan[length - 1].choice_count : 0;
    probe->plan[length] = (PlanStep){.agent = overtaken->agent, .first_choice = used};
    return schedule_take_plan(NULL, probe);
}

/* The first choice from `from` on of the run's last step that was not taken in the maximal way; false if there is
 * none. */
static bool find_other(const Execution *probe, uint32_t from, uint32_t *choice)
{
    const Event *last = &probe->events[probe->event_count - 1];
    for (*choice = from; *choice < last->choice_count; ++*choice)
        if (probe->choices[last->first_choice + *choice].taken != 0)
            return true;
    return false;
}

/* Plans the last step as it was, but for this choice. */
static void plan_other(Execution *probe, uint32_t choice)
{
    PlanStep *step = &probe->plan[probe->plan_length - 1];
    const Choice *made = &probe->choices[probe->events[probe->event_count - 1].first_choice];
    for (uint32_t c = 0; c <= choice; c++)
        probe->plan_choices[step->first_choice + c] =
            (Literal){.condition = made[c].condition, .taken = c == choice ? 0 : made[c].taken};
    step->choice_count = (uint16_t)(choice + 1);
}

static bool run(GraphVisit *visit)
{
    const Execution *probe = visit->search->probe;
    if (visit_crashed_before(visit) || !program_solves(visit->search->program, visit->search->probe))
        return false;
    visit_run_probe(visit);
    return probe->event_count == probe->plan_length && probe->end != END_DIVERGED;
}

/* Adds what the last step of the schedule accesses. A step that cannot be run has accessed nothing: then a graph may
 * be visited twice. */
static void add_touches(GraphVisit *visit, const Schedule *schedule, Touches *touches)
{
    Execution *probe = visit->search->probe;
    uint32_t first = touches->count, choice = 0;
    schedule_plan(schedule, probe);
    for (bool again = true; again && run(visit); choice++) {
        const Event *last = &probe->events[probe->event_count - 1];
        touches->count = first;
        for (uint32_t i = 0; i < last->access_count; i++)
            if (probe->accesses[last->first_access + i].mode != MODE_NONE)
                VEC_PUSH(touches, touch_of(&probe->accesses[last->first_access + i]));
        again = find_other(probe, choice, &choice);
        if (again)
            plan_other(probe, choice);
    }
}

GraphJob *settle_overtaken(GraphVisit *visit, Region *region, const GraphJob *job)
{
    uint32_t count = job->overtaken_count + job->waiting_count;
    Schedule **schedules = mem_alloc(count * sizeof *schedules);
    uint32_t *counts = mem_alloc(count * sizeof *counts);
    Touches touches = {0};
    Graph graph;
    build_graph(&graph, visit->search->probe, job);
    for (uint32_t i = 0; i < count; i++)
        schedules[i] = plan_before(visit, &graph, &job->overtaken[i]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before = touches.count;
        add_touches(visit, schedules[i], &touches);
        counts[i] = touches.count - before;
        schedule_destroy(NULL, schedules[i]);
    }
    GraphJob *settled = graphjob_with_touches(region, job, &touches, counts);
    graph_release(&graph);
    VEC_FREE(&touches);
    free(counts);
    free(schedules);
    return settled;
}
