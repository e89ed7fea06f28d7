/* fast_window.c - queries whose inputs turn out to have few values
 *
 * Bounds may leave an input a thousand of 2^32 values. They are tried in windows of 256 neighbouring values: every
 * combination of windows is a query over small inputs.
 */
#include "sym/solve/fast_internal.h"

enum { MOST_INPUTS = 8, MOST_VALUES = 1 << 24 };

typedef struct Windows {
    FastBytes *bytes;
    const FastQuery *query;
    Bits low[MOST_INPUTS];
    uint64_t count[MOST_INPUTS];
    FastWindow at[MOST_INPUTS];
    uint64_t budget;
    Assignment *assignment;
} Windows;

/* An upper bound of the cost of trying everything; above the limit if it is too much. */
static uint64_t estimate(const Windows *w, uint64_t limit)
{
    uint64_t cost = w->query->node_count, largest = 0;
    for (uint32_t i = 0; i < w->query->input_count; i++)
        largest = w->count[i] > largest ? w->count[i] : largest;
    bool spared = false;
    for (uint32_t i = 0; i < w->query->input_count; i++) {
        bool in_lanes = !spared && w->count[i] == largest;
        uint64_t factor = in_lanes ? (w->count[i] + 255) / 256 : w->count[i];
        spared |= in_lanes;
        if (factor > limit)
            return limit + 1;
        cost *= factor;
        if (cost > limit)
            return cost;
    }
    return cost;
}

/* Windows begin at multiples of 256, so that results for them can be reused. */
static bool find_bounds(Windows *w, const FastRange *range)
{
    for (uint32_t i = 0; i < w->query->input_count; i++) {
        if (!fast_range_bounds(range, i, &w->low[i], &w->count[i]) || w->count[i] > MOST_VALUES)
            return false;
        w->count[i] += (uint64_t)w->low[i] % 256;
        w->low[i] -= w->low[i] % 256;
    }
    return true;
}

static SolverResult try_windows(Windows *w, uint32_t input)
{
    if (input == w->query->input_count)
        return fast_bytes_search(w->bytes, w->query, w->at, &w->budget, w->assignment);
    for (uint64_t from = 0; from < w->count[input]; from += 256) {
        uint64_t left = w->count[input] - from;
        w->at[input] = (FastWindow){w->low[input] + from, left < 256 ? (uint32_t)left : 256};
        SolverResult result = try_windows(w, input + 1);
        if (result != SOLVER_UNSAT)
            return result;
    }
    return SOLVER_UNSAT;
}

SolverResult fast_window_check(FastBytes *bytes, const FastRange *range, const FastQuery *query, uint64_t budget,
                               Assignment *assignment)
{
    Windows w = {.bytes = bytes, .query = query, .budget = budget, .assignment = assignment};
    if (query->input_count == 0 || query->input_count > MOST_INPUTS || !find_bounds(&w, range) ||
        estimate(&w, budget) > budget)
        return SOLVER_UNKNOWN;
    return try_windows(&w, 0);
}
