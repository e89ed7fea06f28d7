/* strategy_dpor.c - one execution per class: wakeup trees; or source sets and sleep sets
 *
 * After each execution every race is reversed, and the reversed sequence is inserted into the tree unless it
 * is covered there. With REDUCTION_OPTIMAL whole sequences are inserted and nothing sleeps at a leaf (WUT-1);
 * with REDUCTION_SOURCE only their first steps are, and behind its plan an execution must respect its sleep
 * set. The files of the strategy are listed in dpor_internal.h.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/dpor/dpor_internal.h"
#include "core/tree/resolve.h"

/* ---- Lifecycle -------------------------------------------------------- */

static Jobs *dpor_create_jobs(Region *region) { return jobs_create(region, &jobs_of_steps); }

static void *dpor_create(Region *region, const ExploreOptions *options)
{
    DporState *state = region_alloc(region, sizeof *state);
    *state = (DporState){.tree = wakeup_create(region), .jobs = options->jobs, .owns_jobs = !options->jobs};
    if (state->owns_jobs)
        state->jobs = dpor_create_jobs(region);
    return state;
}

static void dpor_destroy(void *memory)
{
    DporState *state = memory;
    Region *region = state->tree->region;
    dpor_drop_deferred(state);
    dpor_free_level_stats(state);
    wakeup_destroy(state->tree);
    if (state->owns_jobs)
        jobs_destroy(state->jobs);
    region_free(region, state, sizeof *state);
}

bool dpor_is_source(const Dpor *dpor)
{
    return dpor->search->options->reduction == REDUCTION_SOURCE;
}

static void dpor_attach(Search *search)
{
    Dpor *dpor = mem_alloc(sizeof *dpor);
    dpor->search = search;
    dpor->state = search->state;
    dpor->picker.pick = dpor_pick_awake;
    dpor->visitor.visit = dpor_insert_reversal;
    dpor->source.outcomes = dpor_run_outcomes;
    insertion_init(&dpor->insertion, search->program, &dpor->source);
    probe_init(&dpor->probe, search->program, search->probe, &search->stats->probes);
    hb_init(&dpor->hb, search->ex);
    dpor->sleep.whole_agents = dpor_is_source(dpor);
    if (dpor->state->started)
        hb_extend(&dpor->hb); /* another process, or an earlier slice, ran it */
    search->local = dpor;
}

void dpor_free_branch(Dpor *dpor)
{
    for (uint32_t i = 0; i < dpor->branch.count; i++)
        wakeup_free_node(dpor->state->tree, dpor->branch.items[i]);
    dpor->branch.count = 0;
}

void dpor_unsettle(Dpor *dpor, uint32_t level)
{
    if (dpor->settled.count > level)
        dpor->settled.count = level;
}

static void dpor_detach(Search *search)
{
    Dpor *dpor = search->local;
    dpor_free_branch(dpor);
    hb_release(&dpor->hb);
    VEC_FREE(&dpor->branch);
    VEC_FREE(&dpor->sequence);
    VEC_FREE(&dpor->copy);
    jobcover_release(&dpor->cover);
    reversal_release(&dpor->scratch);
    VEC_FREE(&dpor->touches);
    VEC_FREE(&dpor->asleep);
    VEC_FREE(&dpor->literals);
    VEC_FREE(&dpor->sleepers);
    VEC_FREE(&dpor->settled);
    insertion_release(&dpor->insertion);
    probe_release(&dpor->probe);
    VEC_FREE(&dpor->sleep.labels);
    VEC_FREE(&dpor->sleep.starts);
    free(dpor);
}

/* ---- Plans ------------------------------------------------------------ */

void dpor_plan_prefix(Dpor *dpor, Execution *ex, uint32_t length)
{
    uint32_t known = ex == dpor->search->ex ? ex->plan_length : 0;
    for (uint32_t i = known < length ? known : length; i < length; i++)
        plan_label(ex, i, &dpor->hb.events.items[i].label);
    ex->plan_length = length;
}

static bool deepest_pending(const WakeupTree *tree, uint32_t *level)
{
    for (uint32_t i = tree->depth; i-- > 0;)
        if (tree->levels[i].pending) {
            *level = i;
            return true;
        }
    return false;
}

static void plan_branch(Dpor *dpor, uint32_t level)
{
    Execution *ex = dpor->search->ex;
    dpor_plan_prefix(dpor, ex, level);
    for (uint32_t i = 0; i < dpor->branch.count; i++)
        plan_label(ex, level + i, dpor->branch.items[i]->label);
}

/* Plans the next branch for which inputs can be found; false if none is left. */
static bool take_branch(Dpor *dpor, uint32_t *level)
{
    WakeupTree *tree = dpor->state->tree;
    Execution *ex = dpor->search->ex;
    uint32_t left = UINT32_MAX; /* the last execution's step is done already at this level */
    while (deepest_pending(tree, level)) {
        if (*level < left)
            wakeup_add_done(tree, *level, &dpor->hb.events.items[*level].label);
        left = *level;
        wakeup_truncate(tree, *level + 1);
        wakeup_take(tree, *level, &dpor->branch);
        plan_branch(dpor, *level);
        if (program_solves(dpor->search->program, ex))
            return true;
        ex->plan_length = *level; /* the part it shares with the last execution */
        wakeup_give_up(tree, *level, &dpor->branch);
    }
    return false;
}

/* Plans the next execution of the job in hand; false if all of it is explored. */
static bool next_in_job(Dpor *dpor)
{
    DporState *state = dpor->state;
    uint32_t level;
    if (!take_branch(dpor, &level))
        return false;
    state->fresh = level;
    dpor_note_level(state, level, dpor->search->stats);
    uint32_t asleep = wakeup_sleep(&dpor->sleep, state->tree, &dpor->hb, level, &dpor->branch, level);
    assert((dpor_is_source(dpor) || asleep == 0) && "WUT-1");
    (void)asleep;
    hb_rewind(&dpor->hb, level);
    dpor_unsettle(dpor, level);
    return true;
}

void dpor_know_sleep(Dpor *dpor)
{
    const Execution *ex = dpor->search->ex;
    WakeupBranch none = {0};
    uint32_t end = dpor_is_source(dpor) || ex->plan_length > ex->event_count ? ex->event_count : ex->plan_length;
    if (dpor->sleep.starts.count < end + 2)
        wakeup_sleep(&dpor->sleep, dpor->state->tree, &dpor->hb, end, &none, dpor->state->fresh);
}

static Next take_job(Dpor *dpor)
{
    DporState *state = dpor->state;
    bool finished;
    if (state->beginning)
        return NEXT_PLANNED;
    *jobhand_before_next(&state->hand) = *dpor->search->stats;
    jobs_take(state->jobs, &state->hand, &finished);
    state->beginning = state->hand.job != NULL;
    return state->hand.job ? NEXT_PLANNED : finished ? NEXT_NONE : NEXT_WAIT;
}

/* Plans the first execution of a job; a job for which no inputs can be found ends. */
static Next plan_job(Dpor *dpor)
{
    DporState *state = dpor->state;
    Next next;
    while ((next = take_job(dpor)) == NEXT_PLANNED) {
        ResolveResult resolved = resolve_jobs(dpor->search, state->jobs, state->hand.job, &state->resolving);
        if (resolved == RESOLVE_LOST)
            return NEXT_LOST;
        job_plan(state->hand.job, dpor->search->ex);
        if (resolved == RESOLVE_DONE && program_solves(dpor->search->program, dpor->search->ex))
            return NEXT_PLANNED;
        state->beginning = false;
        jobs_end(state->jobs, &state->hand);
    }
    return next;
}

/* Takes a job and plans its first execution. */
static Next begin_job(Dpor *dpor)
{
    DporState *state = dpor->state;
    Next next = plan_job(dpor);
    if (next != NEXT_PLANNED)
        return next;
    wakeup_truncate(state->tree, 0);
    state->started = true;
    state->fresh = 0;
    state->level_stats_count = 0;
    dpor_note_level(state, 0, jobhand_before(&state->hand));
    dpor->sleep.starts.count = dpor->sleep.labels.count = 0;
    hb_rewind(&dpor->hb, 0);
    dpor_unsettle(dpor, 0);
    state->beginning = false;
    return NEXT_PLANNED;
}

/* ---- Sharing --------------------------------------------------------- */

/* Other workers wait: gives away what is pending at the shallowest level that has anything, down to the next
 * level at which nothing sleeps. */
static void share_work(Dpor *dpor)
{
    DporState *state = dpor->state;
    uint32_t level = job_depth(state->hand.job);
    while (level < state->tree->depth && !state->tree->levels[level].pending)
        level++;
    if (level >= state->tree->depth)
        return;
    dpor_know_sleep(dpor);
    do
        level++;
    while (level < dpor->hb.count && wakeup_asleep(&dpor->sleep, level) > 0);
    *jobhand_before_next(&state->hand) = *dpor_counted_before(state, level);
    jobs_give(state->jobs, &state->hand, state->tree, &dpor->hb, level);
    dpor_unsettle(dpor, 0);
    dpor->sleep.starts.count = dpor->sleep.labels.count = 0;
}

static Next dpor_next(Search *search)
{
    Dpor *dpor = search->local;
    DporState *state = dpor->state;
    search->ex->picker = dpor_is_source(dpor) ? &dpor->picker : NULL;
    dpor->seen = 0;
    if (state->hand.job && !state->beginning) {
        if (!dpor_insert_deferred(dpor, false))
            return NEXT_LOST;
        if (!dpor_is_source(dpor) && jobs_wanted(state->jobs))
            share_work(dpor);
        if (next_in_job(dpor))
            return NEXT_PLANNED;
        if (!dpor_insert_deferred(dpor, true))
            return NEXT_LOST;
        jobs_end(state->jobs, &state->hand);
    }
    return begin_job(dpor);
}

/* The job in hand is explored from its root again. What was inserted above it is covered there; what was
 * deferred is inserted later. */
static void *dpor_restart(const void *memory, Region *fresh, const ExploreOptions *options, ExploreStats *stats)
{
    const DporState *old = memory;
    if (old->owns_jobs || !jobs_are_sound(old->jobs))
        return NULL;
    DporState *state = dpor_create(fresh, options);
    state->hand = old->hand;
    state->beginning = state->hand.job != NULL;
    state->deferred = old->deferred;
    for (const Deferred *item = state->deferred; item; item = item->next)
        state->deferred_count++;
    if (state->hand.job)
        *stats = *jobhand_before(&state->hand);
    return state;
}

/* Everything pending becomes jobs; impossible with source sets. */
static bool dpor_suspend(Search *search)
{
    Dpor *dpor = search->local;
    DporState *state = dpor->state;
    if (dpor_is_source(dpor))
        return false;
    if (!state->hand.job)
        return true;
    if (state->beginning) {
        jobs_put_back(state->jobs, &state->hand);
        state->beginning = false;
    } else {
        if (!dpor_insert_deferred(dpor, true))
            return false;
        jobs_give_all(state->jobs, &state->hand, state->tree, &dpor->hb);
    }
    return true;
}

/* ---- Progress ---------------------------------------------------------- */

/* The share of the job to the left of the current execution, if all children of a node are equally large. */
static void dpor_note_progress(const Search *search)
{
    const DporState *state = search->state;
    const WakeupTree *tree = state->tree;
    if (!state->hand.job)
        return;
    double done = 0, share = 1;
    for (uint32_t i = 0; i < tree->depth; i++) {
        unsigned left = 0, right = 0;
        for (const WakeupNode *node = tree->levels[i].done; node; node = node->next)
            left++;
        for (const WakeupNode *node = tree->levels[i].pending; node; node = node->next)
            right++;
        share /= left + 1 + right;
        done += share * left;
    }
    job_note_progress(state->hand.job, done + share);
}

const StrategyOps strategy_dpor = {
    .create_jobs = dpor_create_jobs,
    .create = dpor_create,
    .destroy = dpor_destroy,
    .attach = dpor_attach,
    .detach = dpor_detach,
    .next = dpor_next,
    .learn = dpor_learn,
    .suspend = dpor_suspend,
    .restart = dpor_restart,
    .note_progress = dpor_note_progress,
};
