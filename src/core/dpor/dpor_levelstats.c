/* dpor_levelstats.c - the statistics at each node of the current execution; see dpor_internal.h */
#include "core/dpor/dpor_internal.h"

#include <string.h>

static void grow_level_stats(DporState *state)
{
    uint32_t capacity = state->level_stats_capacity ? 2 * state->level_stats_capacity : 64;
    LevelStats *grown = region_alloc(state->tree->region, capacity * sizeof *grown);
    if (state->level_stats_capacity) {
        memcpy(grown, state->level_stats, state->level_stats_count * sizeof *grown);
        region_free(state->tree->region, state->level_stats, state->level_stats_capacity * sizeof *grown);
    }
    state->level_stats = grown;
    state->level_stats_capacity = capacity;
}

void dpor_note_level(DporState *state, uint32_t level, const ExploreStats *stats)
{
    while (state->level_stats_count > 0 && state->level_stats[state->level_stats_count - 1].level >= level)
        state->level_stats_count--;
    if (state->level_stats_count == state->level_stats_capacity)
        grow_level_stats(state);
    LevelStats *entry = &state->level_stats[state->level_stats_count++];
    size_t size = sizeof entry->stats;
    __asm__("" : "+r"(size)); /* for a size that they know compilers choose string instructions, which begin slowly */
    entry->level = level;
    memcpy(&entry->stats, stats, size);
}

const ExploreStats *dpor_counted_before(const DporState *state, uint32_t depth)
{
    uint32_t i = state->level_stats_count - 1;
    while (i > 0 && state->level_stats[i].level >= depth)
        i--;
    return &state->level_stats[i].stats;
}

void dpor_free_level_stats(DporState *state)
{
    if (state->level_stats_capacity)
        region_free(state->tree->region, state->level_stats, state->level_stats_capacity * sizeof *state->level_stats);
}
