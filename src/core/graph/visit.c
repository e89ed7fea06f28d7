/* visit.c - see visit.h */
#include "core/graph/visit.h"

#include <string.h>

#include "core/program.h"

/* ---- Jobs ------------------------------------------------------------------ */

void visit_push(GraphVisit *visit, const Graph *graph, uint32_t fresh, bool revisited)
{
    GraphState *state = visit->state;
    if (!model_consistent(graph, visit->memory, fresh, &visit->scratch))
        return;
    GraphJob *job = graphjob_create(state->region, graph);
    job->revisited = revisited;
    job->next = state->pending;
    state->pending = job;
}

bool visit_feasible(const GraphVisit *visit, const Literal *literals, uint32_t count)
{
    Program *program = visit->search->program;
    return !program->ops->feasible || program->ops->feasible(program, literals, count, NULL, NULL, 0);
}

/* A partial run that killed an earlier process is not repeated: it becomes a job, whose execution is accounted for. */
static bool crashed_before(GraphVisit *visit)
{
    GraphState *state = visit->state;
    uint32_t number = state->probes++;
    for (uint32_t i = 0; i < state->crash_count; i++)
        if (state->crashes[i] == number)
            return true;
    return false;
}

bool visit_probe(GraphVisit *visit)
{
    Execution *probe = visit->search->probe;
    Program *program = visit->search->program;
    if (crashed_before(visit)) {
        visit_push(visit, &visit->other, visit->other.events.count - 1, false);
        return false;
    }
    graph_plan(&visit->other, probe);
    if (!program_solves(program, probe))
        return false;
    visit->state->probing = true;
    probe->stop_after_plan = true;
    probe->max_agent_steps = visit->search->ex->max_agent_steps;
    execution_reset(probe);
    program->ops->run(program, probe);
    visit->state->probing = false;
    visit->search->stats->probes++;
    return probe->event_count == probe->plan_length && probe->end != END_DIVERGED;
}

/* ---- Forward choices --------------------------------------------------------- */

/* The graph with the event at its end becomes a job. */
static void push_with(GraphVisit *visit, GraphEvent event, uint32_t behind)
{
    uint32_t number = graph_add(&visit->graph, event, behind);
    visit_push(visit, &visit->graph, number, false);
    graph_pop(&visit->graph);
}

/* An event that reads, as one that fails for no reason, if it may. */
static void push_failing(GraphVisit *visit, GraphEvent event)
{
    event.planned = 2;
    if (graph_fail(&visit->graph, &event))
        push_with(visit, event, GRAPH_NONE);
}

/* An event that reads: every write that lets it continue, but for the one it has read. */
static void visit_sources(GraphVisit *visit, const GraphEvent *event, uint32_t actual)
{
    const Graph *graph = &visit->graph;
    const Access *access = graph_weak_access(graph, event->position);
    for (uint32_t p = 0; p <= graph_writes(graph, event->location); p++) {
        GraphEvent choice = *event;
        choice.source = graph_write_at(graph, event->location, p);
        int64_t value = graph_value(graph, event->location, choice.source);
        if (event->guarded && !access_condition_holds(access, value))
            continue;
        choice.planned = 1;
        graph_decide(graph, &choice, value);
        push_failing(visit, choice);
        if (choice.source == actual)
            continue;
        push_with(visit, choice, choice.source);
        if (choice.kind == GRAPH_UPDATE)
            revisit_all(visit, &choice, false);
    }
}

static void visit_places(GraphVisit *visit, const GraphEvent *event, uint32_t actual)
{
    const Graph *graph = &visit->graph;
    for (uint32_t p = 0; p <= graph_writes(graph, event->location); p++)
        if (graph_write_at(graph, event->location, p) != actual)
            push_with(visit, *event, graph_write_at(graph, event->location, p));
}

/* ---- Outcomes of choices -------------------------------------------------------- */

static void collect_literals(GraphVisit *visit)
{
    visit->literals.count = 0;
    for (uint32_t e = 0; e < visit->graph.events.count; e++) {
        const Choice *choices;
        uint32_t count = graph_choices(&visit->graph, visit->graph.events.items[e].position, &choices);
        for (uint32_t c = 0; c < count; c++)
            if (choices[c].condition)
                VEC_PUSH(&visit->literals, ((Literal){choices[c].condition, choices[c].taken}));
    }
}

/* Are there inputs for the events so far and the first `count` of these choices? */
static bool possible(GraphVisit *visit, const Choice *choices, uint32_t count)
{
    collect_literals(visit);
    for (uint32_t c = 0; c < count; c++)
        if (choices[c].condition)
            VEC_PUSH(&visit->literals, ((Literal){choices[c].condition, choices[c].taken}));
    return visit_feasible(visit, visit->literals.items, visit->literals.count);
}

/* The graph with the event, which is step `number` of the job or behind it, becomes a job. A step that the event has
 * overtaken stays behind it. */
static void push_outcome(GraphVisit *visit, GraphEvent event, uint32_t behind, uint32_t number)
{
    const GraphJob *job = visit->state->current;
    uint32_t planned = job ? job->count : 0, fresh = graph_add(&visit->graph, event, behind);
    bool followed = number + 1 < planned && event.position + 1 < visit->search->ex->event_count;
    if (followed) {
        GraphEvent next = graph_describe(&visit->graph, event.position + 1);
        uint32_t place = graph_set_source(&visit->graph, &next);
        next.rank = job->steps[number + 1].rank;
        next.taken = job->steps[number + 1].taken;
        next.planned = graph_is_weak(&next) ? 1 : 0;
        graph_add(&visit->graph, next, place);
    }
    visit_push(visit, &visit->graph, fresh, followed && job->revisited);
    if (followed)
        graph_pop(&visit->graph);
    graph_pop(&visit->graph);
}

/* The outcomes that differ from the actual one in the nth choice. */
static void visit_outcomes_of(GraphVisit *visit, const GraphEvent *event, uint32_t behind, uint32_t nth,
                              uint32_t number)
{
    Execution *ex = visit->search->ex;
    Choice *choices = &ex->choices[ex->events[event->position].first_choice], actual = choices[nth];
    GraphEvent other = *event;
    other.planned = (uint16_t)(nth + 1);
    for (uint32_t value = 0; value < actual.options; value++) {
        choices[nth].taken = value; /* the plan is made from the execution */
        if (value != actual.taken && possible(visit, choices, nth + 1))
            push_outcome(visit, other, behind, number);
    }
    choices[nth] = actual;
}

static void visit_outcomes(GraphVisit *visit, const GraphEvent *event, uint32_t behind, uint32_t first,
                           uint32_t number)
{
    const Event *step = &visit->search->ex->events[event->position];
    for (uint32_t c = first; c < step->choice_count; c++)
        visit_outcomes_of(visit, event, behind, c, number);
}

/* ---- An execution, event by event -------------------------------------------------- */

static void visit_forward(GraphVisit *visit, const GraphEvent *event, uint32_t behind)
{
    if (event->kind == GRAPH_WRITE)
        visit_places(visit, event, behind);
    else if (graph_is_weak(event))
        visit_sources(visit, event, behind);
}

static void visit_backward(GraphVisit *visit, const GraphEvent *event)
{
    if (event->kind == GRAPH_STRONG) {
        GraphEvent earlier = *event;
        earlier.planned = 0; /* its choices may be others there */
        for (uint32_t p = 0; p < graph_writes(&visit->graph, event->location); p++) {
            earlier.source = graph_write_at(&visit->graph, event->location, p);
            revisit_all(visit, &earlier, true);
        }
    } else if (graph_is_write(event)) {
        revisit_all(visit, event, true);
    }
}

/* The first choice of an event whose other outcomes are still to be visited. That it fails for no reason is visited
 * with the writes that it reads. */
static uint32_t first_open_choice(const GraphVisit *visit, const GraphEvent *event, uint32_t number)
{
    const GraphJob *job = visit->state->current;
    GraphEvent failing = *event;
    uint32_t first = job && number < job->count ? job->steps[number].choice_count : graph_is_weak(event);
    bool decided = event->fails || (graph_is_weak(event) && graph_fail(&visit->graph, &failing));
    return decided && first < 2 ? 2 : first;
}

/* The event at a position, which is step `number` of the job, or behind it. */
static void visit_step(GraphVisit *visit, uint32_t position, uint32_t number)
{
    const GraphJob *job = visit->state->current;
    uint32_t planned = job ? job->count : 0;
    bool fresh = number >= planned;
    GraphEvent event = graph_describe(&visit->graph, position);
    uint32_t behind = graph_set_source(&visit->graph, &event);
    event.rank = fresh ? visit->next_rank++ : job->steps[number].rank;
    event.taken = !fresh && job->steps[number].taken;
    if (fresh)
        visit_forward(visit, &event, behind);
    if (fresh || (job->revisited && number + 1 == planned && event.kind == GRAPH_UPDATE))
        visit_backward(visit, &event);
    visit_outcomes(visit, &event, behind, first_open_choice(visit, &event, number), number);
    graph_add(&visit->graph, event, behind);
}

/* An event of the job that was not executed: its agent waits, and is listed as blocked. */
static void add_frozen(GraphVisit *visit, const GraphStep *step)
{
    const Execution *ex = visit->search->ex;
    for (uint32_t i = 0; i < ex->blocked_count; i++) {
        if (ex->blocked[i].agent != step->agent)
            continue;
        GraphEvent event = graph_describe(&visit->graph, BLOCKED_STEP + i);
        event.kind = GRAPH_READ;
        event.source = step->source;
        event.rank = step->rank;
        event.frozen = true;
        graph_add(&visit->graph, event, GRAPH_NONE);
    }
}

static bool is_frozen(const GraphVisit *visit, AgentId agent)
{
    uint32_t last = visit->graph.last.items[agent];
    return last != GRAPH_NONE && visit->graph.events.items[last].frozen;
}

/* A weak step that waits has read the last write; so it was the last to be added. */
static void freeze(GraphVisit *visit, GraphEvent event)
{
    event.kind = GRAPH_READ;
    event.source = graph_last_write(&visit->graph, event.location);
    event.frozen = true;
    visit->next_rank++;
    graph_add(&visit->graph, event, GRAPH_NONE);
}

/* An agent that waits at the end may have come first. */
static void visit_blocked(GraphVisit *visit, uint32_t nth)
{
    if (is_frozen(visit, visit->search->ex->blocked[nth].agent))
        return;
    GraphEvent event = graph_describe(&visit->graph, BLOCKED_STEP + nth);
    event.rank = visit->next_rank;
    if (event.kind == GRAPH_STRONG) {
        visit_backward(visit, &event);
    } else if (graph_is_weak(&event)) {
        visit_sources(visit, &event, graph_last_write(&visit->graph, event.location));
        freeze(visit, event);
    }
}

static void set_next_rank(GraphVisit *visit)
{
    const GraphJob *job = visit->state->current;
    visit->next_rank = 0;
    for (uint32_t i = 0; job && i < job->count; i++)
        if (job->steps[i].rank >= visit->next_rank)
            visit->next_rank = job->steps[i].rank + 1;
}

/* ---- Groups ---------------------------------------------------------------------------- */

static bool join_groups(GraphVisit *visit, uint32_t position)
{
    uint32_t count;
    const Access *accesses = graph_accesses(&visit->graph, position, &count);
    return groups_join_step(visit->state->groups, accesses, count);
}

/* The first `known` events are those of a graph that was visited. */
static bool groups_complete(GraphVisit *visit, uint32_t known)
{
    const Execution *ex = visit->search->ex;
    bool joined = false;
    for (uint32_t i = known; i < ex->event_count; i++)
        joined = join_groups(visit, i) || joined;
    for (uint32_t i = 0; i < ex->blocked_count; i++)
        joined = join_groups(visit, BLOCKED_STEP + i) || joined;
    return !joined;
}

/* The graph keeps what the execution shares with the one before. Returns the number of these events. */
static uint32_t start_graph(GraphVisit *visit)
{
    const Execution *ex = visit->search->ex;
    const GraphJob *job = visit->state->current;
    uint32_t most = ex->event_count + ex->blocked_count + (job ? job->held_count : 0) + 2;
    uint32_t shared = trail_follow(&visit->trail, &visit->graph, job, ex);
    if (shared)
        graph_rewind(&visit->graph, shared, most);
    else
        graph_start(&visit->graph, ex, visit->state->groups, ex->agent_count, most);
    return shared;
}

/* Calls `step` for each event of the execution from the one with this number in the job on, with its number. */
static void each_event(GraphVisit *visit, uint32_t first,
                       void (*step)(GraphVisit *visit, uint32_t position, uint32_t number))
{
    const GraphJob *job = visit->state->current;
    uint32_t planned = job ? job->count : 0, position = first, count = visit->search->ex->event_count;
    for (uint32_t i = first; position < count || i < planned; i++) {
        if (i < planned && job->steps[i].frozen)
            add_frozen(visit, &job->steps[i]);
        else if (position < count)
            step(visit, position++, i);
    }
}

bool visit_execution(GraphVisit *visit)
{
    const Execution *ex = visit->search->ex;
    uint32_t shared = start_graph(visit);
    if (!groups_complete(visit, shared)) {
        trail_reset(&visit->trail);
        return false;
    }
    set_next_rank(visit);
    each_event(visit, shared, visit_step);
    for (uint32_t i = 0; i < ex->blocked_count; i++)
        visit_blocked(visit, i);
    return true;
}

static void only_add(GraphVisit *visit, uint32_t position, uint32_t number)
{
    (void)number;
    GraphEvent event = graph_describe(&visit->graph, position);
    uint32_t behind = graph_set_source(&visit->graph, &event);
    graph_add(&visit->graph, event, behind);
}

bool visit_is_detour(GraphVisit *visit)
{
    const Graph *graph = &visit->graph;
    each_event(visit, start_graph(visit), only_add);
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        if (event->frozen && graph_last_write(graph, event->location) != event->source)
            return true;
    }
    return false;
}
