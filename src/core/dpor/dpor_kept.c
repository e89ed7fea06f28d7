/* dpor_kept.c - sequences for the part of the tree that other machines share
 *
 * A sequence that belongs above the job's root, where the tree is the store's, waits until there
 * are several: inserting them takes a round trip.
 */
#include "core/dpor/dpor_internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/tree/resolve.h"

enum { KEPT_MAX = 64 };

void dpor_keep_sequence(Dpor *dpor, uint32_t first, const LabelSequence *sequence)
{
    DporState *state = dpor->state;
    Kept *kept = region_alloc(state->tree->region, sizeof *kept);
    *kept = (Kept){.first = first, .count = sequence->count, .next = state->kept};
    for (uint32_t i = sequence->count; i-- > 0;) {
        WakeupNode *node = wakeup_make_node(state->tree, sequence->items[i]);
        node->next = kept->steps;
        kept->steps = node;
    }
    state->kept = kept;
    state->kept_count++;
}

void dpor_drop_kept(DporState *state)
{
    while (state->kept) {
        Kept *kept = state->kept;
        state->kept = kept->next;
        for (WakeupNode *node = kept->steps, *next; node; node = next) {
            next = node->next;
            wakeup_free_node(state->tree, node);
        }
        region_free(state->tree->region, kept, sizeof *kept);
    }
    state->kept_count = 0;
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

static void list_kept(const DporState *state, JobsItem *items)
{
    uint32_t n = 0;
    for (const Kept *kept = state->kept; kept; kept = kept->next, n++) {
        items[n] = (JobsItem){.first = kept->first};
        for (const WakeupNode *node = kept->steps; node; node = node->next)
            VEC_PUSH(&items[n].sequence, &node->label);
    }
}

bool dpor_insert_kept(Dpor *dpor, bool all)
{
    DporState *state = dpor->state;
    if (state->kept_count == 0 || (!all && state->kept_count < KEPT_MAX))
        return true;
    JobsItem *items = mem_alloc(state->kept_count * sizeof *items);
    uint32_t *ends = mem_alloc((job_depth(state->hand.job) + 1) * sizeof *ends);
    collect_path_condition(dpor, ends);
    list_kept(state, items);
    int answer;
    while ((answer = jobs_insert_batch(state->jobs, state->hand.job, &dpor->insertion, dpor->literals.items, ends,
                                       items, state->kept_count)) == 0)
        if (resolve_jobs(dpor->search, state->jobs, state->hand.job, &state->resolving) != RESOLVE_DONE)
            break;
    for (uint32_t i = 0; i < state->kept_count; i++)
        VEC_FREE(&items[i].sequence);
    free(items);
    free(ends);
    if (answer == 1)
        dpor_drop_kept(state);
    return answer == 1;
}
