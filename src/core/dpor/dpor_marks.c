/* dpor_marks.c - what was counted below each node of the current execution; see dpor_internal.h */
#include "core/dpor/dpor_internal.h"

#include <string.h>

static void grow_marks(DporState *state)
{
    uint32_t capacity = state->mark_capacity ? 2 * state->mark_capacity : 64;
    Mark *grown = region_alloc(state->tree->region, capacity * sizeof *grown);
    if (state->mark_capacity) {
        memcpy(grown, state->marks, state->mark_count * sizeof *grown);
        region_free(state->tree->region, state->marks, state->mark_capacity * sizeof *grown);
    }
    state->marks = grown;
    state->mark_capacity = capacity;
}

void dpor_mark_level(DporState *state, uint32_t level, const ExploreStats *stats)
{
    while (state->mark_count > 0 && state->marks[state->mark_count - 1].level >= level)
        state->mark_count--;
    if (state->mark_count == state->mark_capacity)
        grow_marks(state);
    state->marks[state->mark_count++] = (Mark){.level = level, .stats = *stats};
}

const ExploreStats *dpor_counted_before(const DporState *state, uint32_t depth)
{
    uint32_t i = state->mark_count - 1;
    while (i > 0 && state->marks[i].level >= depth)
        i--;
    return &state->marks[i].stats;
}

void dpor_free_marks(DporState *state)
{
    if (state->mark_capacity)
        region_free(state->tree->region, state->marks, state->mark_capacity * sizeof *state->marks);
}
