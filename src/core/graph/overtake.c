/* overtake.c - backward: strong steps that another one overtakes
 *
 * Let `a` be a strong step that is being added, and r an earlier one that a does not need. a overtakes r, and perhaps
 * others behind r: it is executed behind a context that consists of all events before r, what a needs anyway, and some
 * of the steps behind r that a conflicts with, namely those that it does not overtake. The rest goes away, provided
 * that all of it was added in the maximal way (STRONG-3).
 * What a accesses may depend on the context. So the context grows step by step: while there is a step that conflicts
 * with a there, it joins the context, or else it is left behind; both are tried.
 */
#include "core/graph/visit.h"

#include <string.h>

/* ---- Contexts --------------------------------------------------------------- */

/* All events before r, and what the event needs in program order. */
static void begin_context(GraphVisit *visit, const GraphEvent *event, uint32_t r)
{
    const Graph *graph = &visit->graph;
    VEC_RESERVE(&visit->need, graph->agents);
    memset(visit->need.items, 0, graph->agents * sizeof *visit->need.items);
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *earlier = &graph->events.items[e];
        if (earlier->rank < graph->events.items[r].rank && visit->need.items[earlier->agent] <= earlier->index)
            visit->need.items[earlier->agent] = earlier->index + 1;
    }
    if (event->previous != GRAPH_NONE)
        clock_join(visit->need.items, graph_clock(graph, event->previous, CLOCK_NEEDED), graph->agents);
}

/* A read that stays needs the write that it reads. False if that was left behind. */
static bool close_context(GraphVisit *visit)
{
    const Graph *graph = &visit->graph;
    for (uint32_t e = 0; e < graph->events.count; e++) {
        uint32_t source = graph->events.items[e].source;
        if (!visit_needs(visit, e) || source >= GRAPH_INITIAL || visit_needs(visit, source))
            continue;
        clock_join(visit->need.items, graph_clock(graph, source, CLOCK_NEEDED), graph->agents);
        e = UINT32_MAX; /* once more */
    }
    for (uint32_t i = 0; i < visit->overtake.left.count; i++)
        if (visit_needs(visit, visit->overtake.left.items[i]))
            return false;
    return true;
}

/* Does the event need a step that was left behind, or is it one? */
static bool is_left(const GraphVisit *visit, uint32_t e)
{
    for (uint32_t i = 0; i < visit->overtake.left.count; i++)
        if (graph_needs(&visit->graph, e, visit->overtake.left.items[i]))
            return true;
    return false;
}

static void keep_context(GraphVisit *visit)
{
    uint32_t count = visit->graph.events.count;
    VEC_RESERVE(&visit->keep, count);
    VEC_RESERVE(&visit->names, count);
    for (uint32_t e = 0; e < count; e++)
        visit->keep.items[e] = visit_needs(visit, e);
}

/* `other` becomes the context with the event; what was overtaken before r was added is remembered. */
static void begin_other(GraphVisit *visit, const GraphEvent *event, uint32_t r, bool remember)
{
    Graph *graph = &visit->graph, *other = &visit->other;
    const GraphEvent *behind = &graph->events.items[r];
    graph_restrict(other, graph, visit->keep.items, behind->rank, visit->names.items, 1);
    GraphEvent added = *event;
    added.previous = event->previous >= GRAPH_INITIAL ? event->previous : visit->names.items[event->previous];
    added.rank = visit->next_rank;
    added.taken = true;
    added.planned = 0;
    if (remember) {
        added.overtook = other->overtaken.count;
        Overtaken overtaken = {behind->agent, behind->index, behind->rank, other->touches.count, 0};
        graph_add_touches(graph, behind->position, &other->touches);
        overtaken.touch_count = other->touches.count - overtaken.first_touch;
        VEC_PUSH(&other->overtaken, overtaken);
    }
    graph_add(other, added, GRAPH_NONE);
}

/* ---- Outcomes ----------------------------------------------------------------- */

static void add_outcome(GraphVisit *visit, StepOutcome outcome)
{
    outcome.touch_count = visit->overtake.touches.count - outcome.first_touch;
    VEC_PUSH(&visit->overtake.outcomes, outcome);
}

/* Runs the step with its first `count` choices given, which are the newest of `choices`; then with others for each
 * further choice that it makes. */
static void run_outcomes(GraphVisit *visit, uint32_t count)
{
    OvertakeScratch *scratch = &visit->overtake;
    uint32_t first = scratch->choices.count - count;
    if (!visit_probe(visit, scratch->choices.items + first, count)) {
        scratch->choices.count = first;
        return;
    }
    const Execution *probe = visit->search->probe;
    const Event *last = &probe->events[probe->event_count - 1];
    StepOutcome outcome = {true, scratch->touches.count, 0, first, last->choice_count};
    VEC(Choice) made = {0};
    for (uint32_t i = 0; i < last->access_count; i++)
        if (probe->accesses[last->first_access + i].mode != MODE_NONE)
            VEC_PUSH(&scratch->touches, touch_of(&probe->accesses[last->first_access + i]));
    for (uint32_t c = 0; c < last->choice_count; c++)
        VEC_PUSH(&made, probe->choices[last->first_choice + c]);
    for (uint32_t c = count; c < made.count; c++)
        VEC_PUSH(&scratch->choices, ((Literal){.condition = made.items[c].condition, .taken = made.items[c].taken}));
    add_outcome(visit, outcome);
    for (uint32_t c = count; c < made.count; c++)
        for (uint32_t value = 0; value < made.items[c].options; value++) {
            if (value == made.items[c].taken)
                continue;
            for (uint32_t k = 0; k < c; k++) {
                Literal earlier = scratch->choices.items[first + k];
                VEC_PUSH(&scratch->choices, earlier);
            }
            VEC_PUSH(&scratch->choices, ((Literal){.condition = made.items[c].condition, .taken = value}));
            run_outcomes(visit, c + 1);
        }
    VEC_FREE(&made);
}

static void find_outcomes(GraphVisit *visit, const GraphEvent *event, uint32_t r)
{
    OvertakeScratch *scratch = &visit->overtake;
    StepOutcome outcome = {.first_touch = scratch->touches.count};
    InContext found = guards_resolve(visit, event->position, &scratch->touches);
    if (found == CONTEXT_UNKNOWN) {
        keep_context(visit);
        begin_other(visit, event, r, false);
        run_outcomes(visit, 0);
        return;
    }
    outcome.enabled = found == CONTEXT_KNOWN;
    add_outcome(visit, outcome);
}

/* ---- Results -------------------------------------------------------------------- */

/* What the outcome needs; false if something behind r stays which it does not need. */
static bool needs_context(GraphVisit *visit, const GraphEvent *event, uint32_t r, const Touch *touches, uint32_t count)
{
    const Graph *graph = &visit->graph;
    const GraphEvent *events = graph->events.items;
    VEC_RESERVE(&visit->overtake.need, graph->agents);
    uint32_t *need = visit->overtake.need.items;
    memset(need, 0, graph->agents * sizeof *need);
    if (event->previous != GRAPH_NONE)
        clock_join(need, graph_clock(graph, event->previous, CLOCK_NEEDED), graph->agents);
    for (uint32_t e = 0; e < graph->events.count; e++)
        if (events[e].kind == GRAPH_STRONG && visit_needs(visit, e) && graph_conflicts(graph, e, touches, count))
            clock_join(need, graph_clock(graph, e, CLOCK_NEEDED), graph->agents);
    for (uint32_t e = 0; e < graph->events.count; e++)
        if (visit_needs(visit, e) && events[e].rank > events[r].rank && need[events[e].agent] <= events[e].index)
            return false;
    return true;
}

static void push_outcome(GraphVisit *visit, const GraphEvent *event, uint32_t r, const StepOutcome *outcome)
{
    OvertakeScratch *scratch = &visit->overtake;
    const Graph *graph = &visit->graph;
    const Touch *touches = scratch->touches.items + outcome->first_touch;
    uint32_t count = outcome->touch_count, first = scratch->touches.count;
    if (!outcome->enabled || !graph_conflicts(graph, r, touches, count) ||
        !needs_context(visit, event, r, touches, count))
        return;
    graph_add_touches(graph, graph->events.items[r].position, &scratch->touches);
    touches = scratch->touches.items + outcome->first_touch;
    bool remember = turns_matter(scratch->touches.items + first, scratch->touches.count - first, touches, count);
    scratch->touches.count = first;
    begin_other(visit, event, r, remember);
    if (turns_violated(&visit->other, event->agent, event->index, touches, count, scratch->need.items))
        return;
    GraphExtra extra = {.choices = scratch->choices.items + outcome->first_choice,
                        .choice_count = outcome->choice_count};
    visit_keep(visit, &visit->other, &extra, false);
}

static bool some_enabled(const OvertakeScratch *scratch, uint32_t first)
{
    for (uint32_t i = first; i < scratch->outcomes.count; i++)
        if (scratch->outcomes.items[i].enabled)
            return true;
    return false;
}

/* The context is complete: everything else goes away. */
static void push_outcomes(GraphVisit *visit, const GraphEvent *event, uint32_t r, uint32_t first)
{
    if (!some_enabled(&visit->overtake, first))
        return;
    keep_context(visit);
    for (uint32_t e = 0; e < visit->graph.events.count; e++)
        if (!visit->keep.items[e] && !maximal_event(visit, e))
            return;
    for (uint32_t i = first; i < visit->overtake.outcomes.count; i++) {
        StepOutcome outcome = visit->overtake.outcomes.items[i];
        push_outcome(visit, event, r, &outcome);
    }
}

/* ---- Decisions -------------------------------------------------------------------- */

/* A step that conflicts with one of the outcomes, and of which is open whether it is overtaken. */
static uint32_t find_open(const GraphVisit *visit, uint32_t first)
{
    const Graph *graph = &visit->graph;
    const OvertakeScratch *scratch = &visit->overtake;
    for (uint32_t e = 0; e < graph->events.count; e++) {
        if (graph->events.items[e].kind != GRAPH_STRONG || visit_needs(visit, e))
            continue;
        for (uint32_t i = first; i < scratch->outcomes.count; i++) {
            const StepOutcome *outcome = &scratch->outcomes.items[i];
            if (graph_conflicts(graph, e, scratch->touches.items + outcome->first_touch, outcome->touch_count) &&
                !is_left(visit, e))
                return e;
        }
    }
    return GRAPH_NONE;
}

static void decide(GraphVisit *visit, const GraphEvent *event, uint32_t r)
{
    const Graph *graph = &visit->graph;
    OvertakeScratch *scratch = &visit->overtake;
    uint32_t touches = scratch->touches.count, choices = scratch->choices.count, first = scratch->outcomes.count;
    uint32_t left = scratch->left.count, open, agents = graph->agents;
    bool stuck = false;
    if (!close_context(visit))
        return;
    find_outcomes(visit, event, r);
    while (!stuck && (open = find_open(visit, first)) != GRAPH_NONE) {
        for (uint32_t i = 0; i < agents; i++)
            VEC_PUSH(&scratch->clocks, visit->need.items[i]);
        clock_join(visit->need.items, graph_clock(graph, open, CLOCK_NEEDED), agents);
        decide(visit, event, r);
        scratch->clocks.count -= agents;
        memcpy(visit->need.items, scratch->clocks.items + scratch->clocks.count, agents * sizeof *visit->need.items);
        stuck = graph->events.items[open].taken;
        VEC_PUSH(&scratch->left, open);
    }
    if (!stuck)
        push_outcomes(visit, event, r, first);
    scratch->touches.count = touches;
    scratch->choices.count = choices;
    scratch->outcomes.count = first;
    scratch->left.count = left;
}

/* Can it conflict with r in some context? */
static bool may_conflict(const GraphVisit *visit, const GraphEvent *event, uint32_t r)
{
    uint32_t count, other_count;
    const Access *accesses = graph_accesses(&visit->graph, event->position, &count);
    const Access *others = graph_accesses(&visit->graph, visit->graph.events.items[r].position, &other_count);
    if (graph_flags(&visit->graph, event->position) & EVENT_OPAQUE)
        return true;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < other_count; k++)
            if (accesses[i].resource == others[k].resource && accesses[i].lanes & others[k].lanes &&
                (accesses[i].mode != MODE_NONE || accesses[i].role == ROLE_SWITCH) && others[k].mode != MODE_NONE)
                return true;
    return false;
}

/* Does the step wait for a value that r has written? What accesses it behind r needs r; so without r it is as r found
 * it, in every context. */
static bool waits_for(const GraphVisit *visit, const GraphEvent *event, uint32_t r)
{
    uint32_t count, other_count;
    const Access *accesses = graph_accesses(&visit->graph, event->position, &count);
    const Access *others = graph_accesses(&visit->graph, visit->graph.events.items[r].position, &other_count);
    if (graph_flags(&visit->graph, event->position) & EVENT_GUARD_ANY)
        return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < other_count && accesses[i].role == ROLE_GUARD; k++)
            if (accesses[i].relation != REL_PROGRAM && accesses[i].mode != MODE_NONE &&
                accesses[i].resource == others[k].resource && accesses[i].lanes == others[k].lanes &&
                others[k].mode == MODE_WRITE && !access_condition_holds(&accesses[i], others[k].before))
                return true;
    return false;
}

static bool may_go_away(const GraphVisit *visit, uint32_t r)
{
    const Graph *graph = &visit->graph;
    for (uint32_t e = 0; e < graph->events.count; e++)
        if (graph->events.items[e].taken && graph_needs(graph, e, r))
            return false;
    return true;
}

void overtake_all(GraphVisit *visit, const GraphEvent *event)
{
    const Graph *graph = &visit->graph;
    if (event->quiet)
        return;
    for (uint32_t r = 0; r < graph->events.count; r++) {
        const GraphEvent *earlier = &graph->events.items[r];
        if (earlier->kind != GRAPH_STRONG || earlier->quiet || earlier->agent == event->agent ||
            (event->previous != GRAPH_NONE && graph_needs(graph, event->previous, r)) ||
            !may_conflict(visit, event, r) || waits_for(visit, event, r) || !may_go_away(visit, r))
            continue;
        begin_context(visit, event, r);
        if (visit_needs(visit, r))
            continue;
        VEC_PUSH(&visit->overtake.left, r);
        decide(visit, event, r);
        visit->overtake.left.count = 0;
    }
}
