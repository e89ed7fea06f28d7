/* visit.c - see visit.h */
#include "core/graph/visit.h"

#include <string.h>

#include "core/program.h"

/* ---- Jobs ------------------------------------------------------------------ */

void visit_push(GraphVisit *visit, const Graph *graph, uint32_t fresh, bool revisited)
{
    if (model_consistent(graph, visit->memory, fresh, &visit->scratch))
        visit_keep(visit, graph, NULL, revisited);
}

void visit_keep(GraphVisit *visit, const Graph *graph, const GraphExtra *extra, bool revisited)
{
    GraphState *state = visit->state;
    GraphJob *job = graphjob_create(state->region, graph, extra);
    job->revisited = revisited;
    job->next = state->pending;
    state->pending = job;
}

bool visit_feasible(const GraphVisit *visit, const Literal *literals, uint32_t count)
{
    Program *program = visit->search->program;
    return !program->ops->feasible || program->ops->feasible(program, literals, count, NULL, NULL, 0);
}

bool visit_crashed_before(GraphVisit *visit)
{
    GraphState *state = visit->state;
    uint32_t number = state->probes++;
    for (uint32_t i = 0; i < state->crash_count; i++)
        if (state->crashes[i] == number)
            return true;
    return false;
}

void visit_run_probe(GraphVisit *visit)
{
    Execution *probe = visit->search->probe;
    Program *program = visit->search->program;
    visit->state->probing = true;
    probe->stop_after_plan = true;
    probe->max_agent_steps = visit->search->ex->max_agent_steps;
    execution_reset(probe);
    program->ops->run(program, probe);
    visit->state->probing = false;
    visit->search->stats->probes++;
}

/* A partial run that killed an earlier process is not repeated: it becomes a job, whose execution is accounted for. */
bool visit_probe(GraphVisit *visit, const Literal *choices, uint32_t count)
{
    Execution *probe = visit->search->probe;
    if (visit_crashed_before(visit)) {
        GraphExtra extra = {.choices = choices, .choice_count = count};
        visit_keep(visit, &visit->other, &extra, false);
        return false;
    }
    graph_plan(&visit->other, probe);
    PlanStep *last = &probe->plan[probe->plan_length - 1];
    for (uint32_t c = 0; c < count; c++)
        probe->plan_choices[last->first_choice + last->choice_count++] = choices[c];
    if (!program_solves(visit->search->program, probe))
        return false;
    visit_run_probe(visit);
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
    if (event->kind == GRAPH_STRONG)
        overtake_all(visit, event);
    else if (graph_is_write(event))
        revisit_all(visit, event, true);
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

/* What the job says of its step. */
static void recall(GraphVisit *visit, GraphEvent *event, uint32_t number)
{
    const GraphJob *job = visit->state->current;
    const GraphStep *step = &job->steps[number];
    event->rank = step->rank;
    event->taken = step->taken;
    if (step->overtook == GRAPH_NONE)
        return;
    Overtaken overtaken = job->overtaken[step->overtook];
    const Touch *touches = job->touches + overtaken.first_touch;
    overtaken.first_touch = visit->graph.touches.count;
    for (uint32_t i = 0; i < overtaken.touch_count; i++)
        VEC_PUSH(&visit->graph.touches, touches[i]);
    event->overtook = visit->graph.overtaken.count;
    VEC_PUSH(&visit->graph.overtaken, overtaken);
}

/* The same execution without the event at its end, which waits for a step that it conflicts with. */
static void push_waiting(GraphVisit *visit, const GraphEvent *event)
{
    const GraphJob *job = visit->state->current;
    VEC(Overtaken) waiting = {0};
    Touches touches = {0};
    for (uint32_t i = 0; i < job->touch_count; i++)
        VEC_PUSH(&touches, job->touches[i]);
    for (uint32_t i = 0; i < job->waiting_count; i++)
        VEC_PUSH(&waiting, job->overtaken[job->overtaken_count + i]);
    Overtaken late = {event->agent, event->index, event->rank, touches.count, 0};
    graph_add_touches(&visit->graph, event->position, &touches);
    late.touch_count = touches.count - late.first_touch;
    VEC_PUSH(&waiting, late);
    GraphExtra extra = {.waiting = waiting.items, .waiting_count = waiting.count, .touches = touches.items};
    visit_keep(visit, &visit->graph, &extra, false);
    VEC_FREE(&waiting);
    VEC_FREE(&touches);
}

/* Does the event come before its turn? */
static bool is_early(GraphVisit *visit, const GraphEvent *event, uint32_t behind)
{
    if (event->kind != GRAPH_STRONG || visit->graph.overtaken.count == 0)
        return false;
    graph_add(&visit->graph, *event, behind);
    bool early = turns_violated_by_last(&visit->graph, &visit->overtake.touches);
    graph_pop(&visit->graph);
    return early;
}

/* The event at a position, which is step `number` of the job, or behind it. False if the execution is given up. */
static bool visit_step(GraphVisit *visit, uint32_t position, uint32_t number)
{
    const GraphJob *job = visit->state->current;
    uint32_t planned = job ? job->count : 0;
    bool fresh = number >= planned;
    GraphEvent event = graph_describe(&visit->graph, position);
    uint32_t behind = graph_set_source(&visit->graph, &event);
    if (fresh)
        event.rank = visit->next_rank++;
    else
        recall(visit, &event, number);
    if (fresh && is_early(visit, &event, behind)) {
        push_waiting(visit, &event);
        return false;
    }
    if (fresh)
        visit_forward(visit, &event, behind);
    if (fresh || (job->revisited && number + 1 == planned && event.kind == GRAPH_UPDATE))
        visit_backward(visit, &event);
    visit_outcomes(visit, &event, behind, first_open_choice(visit, &event, number), number);
    graph_add(&visit->graph, event, behind);
    return true;
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

/* ---- Executions ------------------------------------------------------------------------ */

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
        graph_start(&visit->graph, ex, ex->agent_count, most);
    return shared;
}

/* Calls `step` for each event of the execution from the one with this number in the job on, with its number, until it
 * returns false. */
static bool each_event(GraphVisit *visit, uint32_t first,
                       bool (*step)(GraphVisit *visit, uint32_t position, uint32_t number))
{
    const GraphJob *job = visit->state->current;
    uint32_t planned = job ? job->count : 0, position = first, count = visit->search->ex->event_count;
    for (uint32_t i = first; position < count || i < planned; i++) {
        if (i < planned && job->steps[i].frozen)
            add_frozen(visit, &job->steps[i]);
        else if (position < count && !step(visit, position++, i))
            return false;
    }
    return true;
}

void visit_execution(GraphVisit *visit)
{
    const Execution *ex = visit->search->ex;
    uint32_t shared = start_graph(visit);
    set_next_rank(visit);
    if (!each_event(visit, shared, visit_step))
        return;
    for (uint32_t i = 0; i < ex->blocked_count; i++)
        visit_blocked(visit, i);
}

static bool only_add(GraphVisit *visit, uint32_t position, uint32_t number)
{
    const GraphJob *job = visit->state->current;
    GraphEvent event = graph_describe(&visit->graph, position);
    uint32_t behind = graph_set_source(&visit->graph, &event);
    bool fresh = number >= job->count;
    if (fresh)
        event.rank = visit->next_rank++;
    else
        recall(visit, &event, number);
    graph_add(&visit->graph, event, behind);
    return !fresh || !turns_violated_by_last(&visit->graph, &visit->overtake.touches);
}

static bool is_detour(const Graph *graph)
{
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        if (event->frozen && graph_last_write(graph, event->location) != event->source)
            return true;
    }
    return false;
}

bool visit_is_redundant(GraphVisit *visit)
{
    const GraphJob *job = visit->state->current;
    if (!job || (job->held_count == 0 && job->overtaken_count == 0))
        return false;
    uint32_t shared = start_graph(visit);
    set_next_rank(visit);
    return !each_event(visit, shared, only_add) || is_detour(&visit->graph);
}

/* ---- Lifecycle ------------------------------------------------------------------------- */

void visit_attach(GraphVisit *visit, Search *search)
{
    visit->search = search;
    visit->state = search->state;
    visit->memory = search->options->memory;
    graph_init(&visit->graph);
    graph_init(&visit->other);
}

void visit_release(GraphVisit *visit)
{
    graph_release(&visit->graph);
    graph_release(&visit->other);
    model_release(&visit->scratch);
    trail_release(&visit->trail);
    VEC_FREE(&visit->keep);
    VEC_FREE(&visit->names);
    VEC_FREE(&visit->need);
    VEC_FREE(&visit->literals);
    VEC_FREE(&visit->values);
    VEC_FREE(&visit->overtake.touches);
    VEC_FREE(&visit->overtake.choices);
    VEC_FREE(&visit->overtake.outcomes);
    VEC_FREE(&visit->overtake.left);
    VEC_FREE(&visit->overtake.clocks);
    VEC_FREE(&visit->overtake.need);
    VEC_FREE(&visit->turns.awake);
}
