/* strategy_graph.c - every consistent execution graph once: weak memory
 *
 * A stack of jobs; the newest is run, and the graphs that its execution leads to are put on the stack. Only the stack
 * is remembered (docs/design/graphs.md).
 */
#include <stdlib.h>

#include "base/mem.h"
#include "core/graph/visit.h"

static void *graph_create(Region *region, const ExploreOptions *options)
{
    (void)options;
    GraphState *state = region_alloc(region, sizeof *state);
    *state = (GraphState){.region = region, .groups = groups_create(region)};
    return state;
}

static void drop_current(GraphState *state)
{
    if (state->current)
        graphjob_destroy(state->region, state->current);
    state->current = NULL;
}

static GraphJob *take_pending(GraphState *state)
{
    GraphJob *job = state->pending;
    if (job)
        state->pending = job->next;
    return job;
}

/* Drops the newest jobs, down to `end`. */
static void drop_pending(GraphState *state, const GraphJob *end)
{
    while (state->pending != end)
        graphjob_destroy(state->region, take_pending(state));
}

static void graph_destroy(void *memory)
{
    GraphState *state = memory;
    drop_pending(state, NULL);
    drop_current(state);
    groups_destroy(state->groups);
    region_free(state->region, state, sizeof *state);
}

/* The process before this one died in a partial run, while it learnt from an execution. */
static void note_probe_crash(GraphState *state)
{
    if (state->probing && state->crash_count < GRAPH_MAX_CRASHES)
        state->crashes[state->crash_count++] = state->probes - 1;
    state->probing = false;
    state->probes = 0;
}

static void graph_attach(Search *search)
{
    GraphVisit *visit = mem_alloc(sizeof *visit);
    visit->search = search;
    visit->state = search->state;
    visit->memory = search->options->memory;
    graph_init(&visit->graph);
    graph_init(&visit->other);
    note_probe_crash(visit->state);
    search->local = visit;
}

static void graph_detach(Search *search)
{
    GraphVisit *visit = search->local;
    graph_release(&visit->graph);
    graph_release(&visit->other);
    model_release(&visit->scratch);
    trail_release(&visit->trail);
    VEC_FREE(&visit->keep);
    VEC_FREE(&visit->names);
    VEC_FREE(&visit->need);
    VEC_FREE(&visit->literals);
    VEC_FREE(&visit->values);
    free(visit);
}

static Next graph_next(Search *search)
{
    GraphState *state = search->state;
    search->ex->picker = NULL;
    if (!state->begun) {
        state->begun = true;
        state->known = NULL;
        search->ex->plan_length = search->ex->held_count = 0;
        return NEXT_PLANNED;
    }
    for (GraphJob *job; (job = take_pending(state));) {
        graphjob_plan(job, search->ex);
        state->current = job;
        state->known = state->pending;
        if (program_solves(search->program, search->ex))
            return NEXT_PLANNED;
        drop_current(state);
    }
    return NEXT_NONE;
}

/* Only a read of the last write waits to the end; what it waits for may still come otherwise. */
static void graph_ended(Search *search)
{
    const GraphState *state = search->state;
    if (state->current && state->current->held_count && search->ex->end == END_COMPLETE &&
        visit_is_detour(search->local))
        search->ex->end = END_ABANDONED;
}

static void graph_learn(Search *search)
{
    GraphState *state = search->state;
    drop_pending(state, state->known); /* a process died while it learnt: what it found is found again */
    if (!visit_execution(search->local)) {
        drop_pending(state, NULL);
        state->begun = false;
        if (search->ex->finding_count == 0 || search->options->keep_going) /* else this was the last execution */
            *search->stats = (ExploreStats){0};
    }
    drop_current(state);
    state->probes = state->crash_count = 0;
}

const StrategyOps strategy_graph = {
    .create = graph_create,
    .destroy = graph_destroy,
    .attach = graph_attach,
    .detach = graph_detach,
    .next = graph_next,
    .ended = graph_ended,
    .learn = graph_learn,
};
