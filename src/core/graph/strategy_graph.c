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
    *state = (GraphState){.region = region, .jobs = options->jobs, .owns_jobs = !options->jobs};
    if (state->owns_jobs)
        state->jobs = graph_create_jobs(region);
    return state;
}

static void drop_settled(GraphState *state)
{
    if (state->settled)
        graphjob_destroy(state->region, state->settled);
    state->settled = NULL;
}

static void graph_destroy(void *memory)
{
    GraphState *state = memory;
    stack_clear(state);
    drop_settled(state);
    if (state->room)
        region_free(state->region, state->levels, state->room * sizeof *state->levels);
    if (state->owns_jobs)
        jobs_destroy(state->jobs);
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
    visit_attach(visit, search);
    note_probe_crash(visit->state);
    search->local = visit;
}

static void graph_detach(Search *search)
{
    GraphVisit *visit = search->local;
    visit_release(visit);
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

/* What of a job that was read from text belongs to a process is found by running it. */
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
    bool overtakes = job->overtaken_count + job->waiting_count > 0;
    job->unresolved = result != RESOLVE_DONE || overtakes;
    if (result == RESOLVE_DONE && overtakes) {
        state->settled = settle_overtaken(search->local, state->region, job);
        state->probes = state->crash_count = 0;
    }
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
    search->ex->picker = turns_picker(search->local, state->current);
    return program_solves(search->program, search->ex);
}

/* Takes a job and plans its graph; a job for which no inputs can be found ends. */
static Next begin_job(Search *search)
{
    GraphState *state = search->state;
    Next next;
    while ((next = take_job(search)) == NEXT_PLANNED) {
        drop_settled(state);
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

static void graph_ended(Search *search)
{
    if (search->ex->end == END_COMPLETE && visit_is_redundant(search->local))
        search->ex->end = END_ABANDONED;
}

static void graph_learn(Search *search)
{
    GraphState *state = search->state;
    stack_drop_pending(state); /* a process died while it learnt: what it found is found again */
    visit_execution(search->local);
    stack_push(state);
    state->probes = state->crash_count = 0;
}

/* ---- Sharing -------------------------------------------------------------------- */

static bool graph_suspend(Search *search)
{
    GraphState *state = search->state;
    if (state->hand.job && state->beginning)
        jobs_put_back(state->jobs, &state->hand);
    else if (state->hand.job)
        stack_give_all(state);
    state->beginning = false;
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
