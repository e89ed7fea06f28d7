/* strategy_graph.c - every consistent execution graph once: weak memory
 *
 * A job is a graph (jobs.h). It is run, and the graphs that its execution leads to are visited depth first (stack.h);
 * nothing else is remembered (docs/design/graphs.md). A graph stands for itself: any worker can visit it.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "core/graph/visit.h"
#include "core/tree/jobs_replica.h"
#include "core/tree/resolve.h"

/* ---- Lifecycle --------------------------------------------------------------- */

static Jobs *graph_create_jobs(Region *region) { return jobs_create(region, &jobs_of_graphs); }

static void *graph_create(Region *region, const ExploreOptions *options)
{
    GraphState *state = region_alloc(region, sizeof *state);
    *state = (GraphState){
        .region = region, .groups = groups_create(region), .jobs = options->jobs, .owns_jobs = !options->jobs};
    if (state->owns_jobs)
        state->jobs = graph_create_jobs(region);
    return state;
}

static void graph_destroy(void *memory)
{
    GraphState *state = memory;
    stack_clear(state);
    if (state->room)
        region_free(state->region, state->levels, state->room * sizeof *state->levels);
    if (state->owns_jobs)
        jobs_destroy(state->jobs);
    groups_destroy(state->groups);
    region_free(state->region, state, sizeof *state);
}

/* ---- Rounds: with every connection between groups that is found the search begins again ---- */

/* The groups as all workers know them. */
static void rounds_recall(GraphState *state)
{
    void **common = jobs_open_common(state->jobs);
    if (*common)
        groups_adopt(state->groups, *common);
    jobs_close_common(state->jobs, false);
}

/* The worker has joined groups. */
static void rounds_begin(GraphState *state)
{
    void **common = jobs_open_common(state->jobs);
    if (!*common)
        *common = groups_create(jobs_region(state->jobs));
    jobs_close_common(state->jobs, groups_adopt(*common, state->groups));
}

static void rounds_follow(Search *search)
{
    GraphVisit *visit = search->local;
    GraphState *state = search->state;
    if (state->hand.round == jobs_round(state->jobs))
        return;
    trail_reset(&visit->trail);
    stack_clear(state);
    jobs_join_round(state->jobs, &state->hand);
    rounds_recall(state);
    state->beginning = false;
    *search->stats = (ExploreStats){0};
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

/* ---- Plans --------------------------------------------------------------------- */

static Next take_job(Search *search)
{
    GraphState *state = search->state;
    bool finished;
    if (state->beginning)
        return NEXT_PLANNED;
    *jobhand_before_next(&state->hand) = *search->stats;
    jobs_take(state->jobs, &state->hand, &finished);
    state->beginning = state->hand.job != NULL;
    return state->hand.job ? NEXT_PLANNED : finished ? NEXT_NONE : NEXT_WAIT;
}

/* The conditions on inputs of a job that was read from text are found by running it. */
static ResolveResult resolve(Search *search, GraphJob *job)
{
    GraphState *state = search->state;
    if (!job || !job->unresolved)
        return RESOLVE_DONE;
    graphjob_plan(job, search->ex);
    Schedule *wanted = schedule_take_plan(NULL, search->ex);
    ResolveResult result = resolve_schedule(search, wanted, &state->resolving);
    for (uint32_t c = 0; result == RESOLVE_DONE && c < wanted->choice_count; c++)
        job->choices[c].condition = wanted->choices[c].condition;
    job->unresolved = result != RESOLVE_DONE;
    schedule_destroy(NULL, wanted);
    return result;
}

/* Plans the current graph; false if no inputs can be found for it. */
static bool plan_current(Search *search)
{
    const GraphState *state = search->state;
    if (state->current)
        graphjob_plan(state->current, search->ex);
    else
        search->ex->plan_length = search->ex->held_count = 0;
    return program_solves(search->program, search->ex);
}

/* Takes a job and plans its graph; a job for which no inputs can be found ends. */
static Next begin_job(Search *search)
{
    GraphState *state = search->state;
    Next next;
    while ((next = take_job(search)) == NEXT_PLANNED) {
        ResolveResult resolved = resolve(search, graphjob_of(state->hand.job));
        if (resolved == RESOLVE_LOST)
            return NEXT_LOST;
        stack_begin(state, jobhand_before(&state->hand));
        state->beginning = false;
        if (resolved == RESOLVE_DONE && plan_current(search))
            return NEXT_PLANNED;
        jobs_end(state->jobs, &state->hand);
    }
    return next;
}

static Next graph_next(Search *search)
{
    GraphState *state = search->state;
    search->ex->picker = NULL;
    rounds_follow(search);
    if (jobs_round(state->jobs) > 0 && jobs_connected(state->jobs))
        return NEXT_LOST; /* other machines cannot be told */
    if (state->hand.job && !state->beginning) {
        while (stack_next(state, search->stats)) {
            if (jobs_wanted(state->jobs))
                stack_give(state);
            if (plan_current(search))
                return NEXT_PLANNED;
        }
        stack_clear(state);
        jobs_end(state->jobs, &state->hand);
    }
    return begin_job(search);
}

/* ---- Learning ------------------------------------------------------------------- */

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
    stack_drop_pending(state); /* a process died while it learnt: what it found is found again */
    if (visit_execution(search->local))
        stack_push(state);
    else
        rounds_begin(state);
    state->probes = state->crash_count = 0;
}

/* ---- Sharing -------------------------------------------------------------------- */

/* Names of resources, and so groups, belong to a process: once some are joined, the jobs cannot leave it. */
static bool graph_suspend(Search *search)
{
    GraphState *state = search->state;
    if (jobs_round(state->jobs) > 0)
        return false;
    if (state->hand.job && state->beginning)
        jobs_put_back(state->jobs, &state->hand);
    else if (state->hand.job)
        stack_give_all(state);
    state->beginning = false;
    rounds_follow(search);
    return true;
}

/* The job in hand is visited again from its beginning. */
static void *graph_restart(const void *memory, Region *fresh, const ExploreOptions *options, ExploreStats *stats)
{
    const GraphState *old = memory;
    if (old->owns_jobs || !jobs_are_sound(old->jobs))
        return NULL;
    GraphState *state = graph_create(fresh, options);
    state->hand = old->hand;
    rounds_recall(state);
    state->beginning = state->hand.job != NULL;
    if (state->hand.job)
        *stats = *jobhand_before(&state->hand);
    return state;
}

static void graph_note_progress(const Search *search)
{
    const GraphState *state = search->state;
    if (state->hand.job)
        job_note_progress(state->hand.job, stack_progress(state));
}

const StrategyOps strategy_graph = {
    .create_jobs = graph_create_jobs,
    .create = graph_create,
    .destroy = graph_destroy,
    .attach = graph_attach,
    .detach = graph_detach,
    .next = graph_next,
    .ended = graph_ended,
    .learn = graph_learn,
    .suspend = graph_suspend,
    .restart = graph_restart,
    .note_progress = graph_note_progress,
};
