/* turns.c - which of several steps that overtake another one comes first (STRONG-4, STRONG-5)
 *
 * Two steps that commute may both come before one that was there first. Whichever overtakes it first, the other one
 * follows: the same graph. So they overtake it in the order of their agents, in which creators come first. If the step
 * that was overtaken can continue at once, it does; then whatever else comes before it must overtake it again, and is
 * asked. Otherwise agents with a smaller number are kept from running until it continues; the few that come before
 * their turn all the same are found when the execution has ended, which is given up, and another one begins in which
 * that step waits until one that it conflicts with has been taken.
 */
#include "core/graph/visit.h"
#include "core/program.h"

/* ---- Before its turn --------------------------------------------------------- */

static uint32_t depth_of(const Execution *ex, AgentId agent)
{
    uint32_t depth = 0;
    for (; ex->agents[agent].creator != AGENT_NONE; agent = ex->agents[agent].creator)
        depth++;
    return depth;
}

/* The order of agents: creators first, then as they were created. Numbers belong to a process. */
static bool precedes(const Execution *ex, AgentId a, AgentId b)
{
    uint32_t a_depth = depth_of(ex, a), b_depth = depth_of(ex, b);
    AgentId one = a, two = b;
    for (uint32_t d = a_depth; d > b_depth; d--)
        one = ex->agents[one].creator;
    for (uint32_t d = b_depth; d > a_depth; d--)
        two = ex->agents[two].creator;
    if (one == two)
        return a_depth < b_depth;
    while (ex->agents[one].creator != ex->agents[two].creator) {
        one = ex->agents[one].creator;
        two = ex->agents[two].creator;
    }
    return ex->agents[one].nth != ex->agents[two].nth ? ex->agents[one].nth < ex->agents[two].nth : one < two;
}

static bool touches_conflict(const Touch *a, uint32_t a_count, const Touch *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t k = 0; k < b_count; k++)
            if (a[i].resource == b[k].resource && (a[i].lanes & b[k].lanes) &&
                modes_conflict((Mode)a[i].mode, (Mode)b[k].mode))
                return true;
    return false;
}

/* Is there a step behind the one that was overtaken, conflicting with that, among what is needed? */
static bool needs_conflicting(const Graph *graph, const Overtaken *overtaken, AgentId agent, uint32_t index,
                              const uint32_t *need)
{
    const Touch *touches = graph->touches.items + overtaken->first_touch;
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        bool itself = event->agent == agent && event->index == index;
        if (!itself && event->kind == GRAPH_STRONG && event->rank > overtaken->rank &&
            need[event->agent] > event->index && graph_conflicts(graph, e, touches, overtaken->touch_count))
            return true;
    }
    return false;
}

bool turns_violated(const Graph *graph, AgentId agent, uint32_t index, const Touch *touches, uint32_t count,
                    const uint32_t *need)
{
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *by = &graph->events.items[e];
        if (by->overtook == GRAPH_NONE || !precedes(graph->ex, agent, by->agent))
            continue;
        const Overtaken *overtaken = &graph->overtaken.items[by->overtook];
        bool behind = (agent == overtaken->agent && index >= overtaken->index) ||
                      need[overtaken->agent] > overtaken->index;
        if (!behind &&
            touches_conflict(touches, count, graph->touches.items + overtaken->first_touch, overtaken->touch_count) &&
            !needs_conflicting(graph, overtaken, agent, index, need))
            return true;
    }
    return false;
}

bool turns_violated_by_last(const Graph *graph, Touches *scratch)
{
    const GraphEvent *event = &graph->events.items[graph->events.count - 1];
    if (event->kind != GRAPH_STRONG || graph->overtaken.count == 0)
        return false;
    const uint32_t *need = graph_clock(graph, graph->events.count - 1, CLOCK_NEEDED);
    scratch->count = 0;
    graph_add_touches(graph, event->position, scratch);
    return turns_violated(graph, event->agent, event->index, scratch->items, scratch->count, need);
}

/* Whatever conflicts with the one conflicts with the other, if that writes it all. */
bool turns_matter(const Touch *touches, uint32_t count, const Touch *by, uint32_t by_count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t open = touches[i].lanes;
        for (uint32_t k = 0; k < by_count; k++)
            if (by[k].resource == touches[i].resource && by[k].mode == MODE_WRITE)
                open &= (uint8_t)~by[k].lanes;
        if (open)
            return true;
    }
    return false;
}

/* ---- The picker ----------------------------------------------------------------- */

enum { SLICE = 997 }; /* as without a picker: a thread that polls must not run forever */

static bool is_enabled(const Turns *turns, AgentId agent)
{
    Program *program = turns->search->program;
    return program->ops->enabled(program, agent);
}

/* Steps that wait for one that they conflict with: has it been taken? */
static void wake(Turns *turns, const Execution *ex)
{
    const GraphJob *job = turns->job;
    for (; turns->seen < ex->event_count; turns->seen++) {
        const Event *event = &ex->events[turns->seen];
        for (uint32_t i = 0; i < job->waiting_count; i++) {
            const Overtaken *waiting = &job->overtaken[job->overtaken_count + i];
            for (uint32_t a = 0; a < event->access_count; a++) {
                Touch touch = touch_of(&ex->accesses[event->first_access + a]);
                if (touches_conflict(&touch, 1, job->touches + waiting->first_touch, waiting->touch_count))
                    turns->awake.items[i] = true;
            }
        }
    }
}

static bool must_wait(const Turns *turns, const Execution *ex, AgentId agent)
{
    const GraphJob *job = turns->job;
    for (uint32_t i = 0; i < job->waiting_count; i++) {
        const Overtaken *waiting = &job->overtaken[job->overtaken_count + i];
        if (waiting->agent == agent && waiting->index == ex->agents[agent].steps && !turns->awake.items[i])
            return true;
    }
    return false;
}

/* Has the step that was overtaken not been taken yet? */
static bool is_behind(const Execution *ex, const Overtaken *overtaken)
{
    return ex->agents[overtaken->agent].steps <= overtaken->index;
}

/* Better not now: it may come before its turn. */
static bool should_wait(const Turns *turns, const Execution *ex, AgentId agent)
{
    const GraphJob *job = turns->job;
    for (uint32_t i = 0; i < job->count; i++)
        if (job->steps[i].overtook != GRAPH_NONE && precedes(ex, agent, job->steps[i].agent) &&
            is_behind(ex, &job->overtaken[job->steps[i].overtook]))
            return true;
    return false;
}

static AgentId pick(Picker *picker, Execution *ex, AgentId current)
{
    Turns *turns = (Turns *)picker;
    const GraphJob *job = turns->job;
    AgentId late = AGENT_NONE;
    wake(turns, ex);
    for (uint32_t i = 0; i < job->overtaken_count; i++)
        if (ex->agents[job->overtaken[i].agent].steps == job->overtaken[i].index &&
            is_enabled(turns, job->overtaken[i].agent) && !must_wait(turns, ex, job->overtaken[i].agent))
            return job->overtaken[i].agent;
    if (current != AGENT_NONE && turns->slice && is_enabled(turns, current) && !must_wait(turns, ex, current) &&
        !should_wait(turns, ex, current)) {
        turns->slice--;
        return current;
    }
    AgentId first = current == AGENT_NONE || turns->slice ? 0 : current + 1;
    turns->slice = SLICE;
    for (uint32_t i = 0; i < ex->agent_count; i++) {
        AgentId agent = (first + i) % ex->agent_count;
        if (!is_enabled(turns, agent) || must_wait(turns, ex, agent))
            continue;
        if (!should_wait(turns, ex, agent))
            return agent;
        late = late == AGENT_NONE ? agent : late;
    }
    return late;
}

static void restarted(Picker *picker)
{
    Turns *turns = (Turns *)picker;
    turns->seen = turns->search->ex->plan_length;
    turns->slice = SLICE;
    turns->awake.count = 0;
    for (uint32_t i = 0; i < turns->job->waiting_count; i++)
        VEC_PUSH(&turns->awake, false);
}

Picker *turns_picker(GraphVisit *visit, const GraphJob *job)
{
    Turns *turns = &visit->turns;
    bool needed = job && job->waiting_count > 0;
    for (uint32_t i = 0; job && i < job->overtaken_count && !needed; i++) {
        uint32_t steps = 0;
        for (uint32_t k = 0; k < job->count; k++)
            steps += job->steps[k].agent == job->overtaken[i].agent;
        needed = steps <= job->overtaken[i].index;
    }
    if (!needed)
        return NULL;
    turns->picker = (Picker){.pick = pick, .restarted = restarted};
    turns->search = visit->search;
    turns->job = job;
    restarted(&turns->picker);
    return &turns->picker;
}
