/* dpor_deferred.c - sequences that wait for their insertion into the tree of a store; see dpor_internal.h
 *
 * A sequence that belongs above the job's root, where the tree is the store's, waits until there are several
 * of them: inserting takes a round trip.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "core/dpor/dpor_internal.h"
#include "core/tree/jobs_insert.h"
#include "core/tree/resolve.h"

enum { DEFERRED_MAX = 64 };

static size_t step_size(const Label *label) { return sizeof(DeferredStep) + label_tail_size(label); }

static DeferredStep *make_step(Region *region, const Label *label, DeferredStep *next)
{
    DeferredStep *step = region_alloc(region, step_size(label));
    step->next = next;
    label_copy(&step->label, label, step + 1);
    return step;
}

void dpor_defer_sequence(Dpor *dpor, uint32_t first, const LabelSequence *sequence)
{
    DporState *state = dpor->state;
    Deferred *item = region_alloc(state->tree->region, sizeof *item);
    *item = (Deferred){.first = first, .count = sequence->count, .next = state->deferred};
    for (uint32_t i = sequence->count; i-- > 0;)
        item->steps = make_step(state->tree->region, sequence->items[i], item->steps);
    state->deferred = item;
    state->deferred_count++;
}

void dpor_drop_deferred(DporState *state)
{
    while (state->deferred) {
        Deferred *item = state->deferred;
        state->deferred = item->next;
        for (DeferredStep *step = item->steps, *next; step; step = next) {
            next = step->next;
            region_free(state->tree->region, step, step_size(&step->label));
        }
        region_free(state->tree->region, item, sizeof *item);
    }
    state->deferred_count = 0;
}

/* The path conditions of all levels above the job's root. */
static void collect_path_condition(Dpor *dpor, uint32_t *ends)
{
    uint32_t depth = job_depth(dpor->state->hand.job);
    dpor->literals.count = 0;
    for (uint32_t i = 0; i <= depth; i++) {
        ends[i] = dpor->literals.count;
        if (i < depth && dpor->search->program->ops->feasible)
            dpor_add_literals(dpor, i);
    }
}

static void list_deferred(const DporState *state, JobsItem *items)
{
    uint32_t n = 0;
    for (const Deferred *item = state->deferred; item; item = item->next, n++) {
        items[n] = (JobsItem){.first = item->first};
        for (const DeferredStep *step = item->steps; step; step = step->next)
            VEC_PUSH(&items[n].sequence, &step->label);
    }
}

bool dpor_insert_deferred(Dpor *dpor, bool all)
{
    DporState *state = dpor->state;
    if (state->deferred_count == 0 || (!all && state->deferred_count < DEFERRED_MAX))
        return true;
    JobsItem *items = mem_alloc(state->deferred_count * sizeof *items);
    uint32_t *ends = mem_alloc((job_depth(state->hand.job) + 1) * sizeof *ends);
    collect_path_condition(dpor, ends);
    list_deferred(state, items);
    int answer;
    while ((answer = jobs_insert_batch(state->jobs, state->hand.job, &dpor->insertion, dpor->literals.items, ends,
                                       items, state->deferred_count)) == 0)
        if (resolve_jobs(dpor->search, state->jobs, state->hand.job, &state->resolving) != RESOLVE_DONE)
            break;
    for (uint32_t i = 0; i < state->deferred_count; i++)
        VEC_FREE(&items[i].sequence);
    free(items);
    free(ends);
    if (answer == 1)
        dpor_drop_deferred(state);
    return answer == 1;
}
