/* fast_bytes.c - queries over inputs with few values, decided by trying all of them
 *
 * A condition on one input is a set of its values, computed once per condition. What is
 * left are conditions on several inputs: one input after the other is given a value,
 * and as soon as a condition has a single open input it narrows that one's set.
 */
#include <string.h>

#include "base/map.h"
#include "sym/expr/lanes.h"
#include "sym/solve/fast_internal.h"

enum { MOST_INPUTS = 32, MOST_JOINT = 64, BUDGET = 6000 /* nodes computed for 256 lanes */, MOST_KNOWN = 1 << 14 };

/* A condition on several inputs. */
typedef struct Joint {
    ExprId condition;
    uint32_t open; /* set of inputs (as bits) that have no value yet, at the search's root */
} Joint;

struct FastBytes {
    const ExprPool *pool;
    Lanes *lanes;
    Map known; /* condition and base -> its set of values in `sets` */
    VEC(ByteSet) sets;
    uint32_t generation;

    /* the query at hand */
    const FastQuery *query;
    const FastWindow *windows;
    uint64_t budget;
    Joint joints[MOST_JOINT];
    uint32_t joint_count;
    Assignment values;
    uint64_t spent;
};

FastBytes *fast_bytes_create(const ExprPool *pool)
{
    FastBytes *bytes = mem_alloc(sizeof *bytes);
    bytes->pool = pool;
    bytes->lanes = lanes_create(pool);
    bytes->generation = pool->generation;
    return bytes;
}

void fast_bytes_destroy(FastBytes *bytes)
{
    if (!bytes)
        return;
    lanes_destroy(bytes->lanes);
    map_release(&bytes->known);
    VEC_FREE(&bytes->sets);
    assignment_release(&bytes->values);
    free(bytes);
}

/* ---- Conditions on one input ------------------------------------------------------------ */

static void follow_pool(FastBytes *bytes)
{
    if (bytes->generation == bytes->pool->generation && bytes->sets.count < MOST_KNOWN)
        return;
    bytes->generation = bytes->pool->generation;
    map_reset(&bytes->known);
    bytes->sets.count = 0;
}

/* Of one input of the query. */
static ByteSet solve(FastBytes *bytes, ExprId condition, uint32_t input)
{
    return lanes_solve(bytes->lanes, condition, bytes->query->inputs[input], bytes->windows[input].base, &bytes->values,
                       &bytes->spent);
}

/* The same for a condition on that input alone. Answers are remembered. */
static ByteSet solve_single(FastBytes *bytes, ExprId condition, uint32_t input)
{
    Bits base = bytes->windows[input].base;
    if (base >> 32)
        return solve(bytes, condition, input);
    uint64_t key = (uint64_t)condition.id << 32 | (uint64_t)base;
    uint64_t *known = map_find(&bytes->known, key);
    if (known)
        return bytes->sets.items[*known];
    ByteSet set = solve(bytes, condition, input);
    *map_insert(&bytes->known, key, NULL) = bytes->sets.count;
    VEC_PUSH(&bytes->sets, set);
    return set;
}

/* ---- The query ----------------------------------------------------------------------------- */

static uint32_t find_input(const FastQuery *query, InputId input)
{
    uint32_t i = 0;
    while (query->inputs[i].index != input.index)
        i++;
    return i;
}


/* Sorts the conditions into sets of values and joint ones. False if there are too many, or one
 * has no inputs (a constant that does not fit 128 bits). */
static bool read_conditions(FastBytes *bytes, ByteSet *domains)
{
    const FastQuery *query = bytes->query;
    bytes->joint_count = 0;
    for (uint32_t i = 0; i < query->count; i++) {
        const InputSet *inputs = support_of(query->support, query->conditions[i]);
        if (inputs->count == 1) {
            uint32_t input = find_input(query, inputs->inputs[0]);
            ByteSet set = solve_single(bytes, query->conditions[i], input);
            byteset_meet(&domains[input], &set);
            continue;
        }
        if (bytes->joint_count == MOST_JOINT || inputs->count == 0)
            return false;
        Joint joint = {query->conditions[i], 0};
        for (uint32_t j = 0; j < inputs->count; j++)
            joint.open |= 1u << find_input(query, inputs->inputs[j]);
        bytes->joints[bytes->joint_count++] = joint;
    }
    return true;
}

static bool has_empty(const ByteSet *domains, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (byteset_is_empty(&domains[i]))
            return true;
    return false;
}

/* ---- Search ---------------------------------------------------------------------------------- */

/* The open input of a joint condition with the fewest values; -1 if all are done. */
static int choose_input(const FastBytes *bytes, const ByteSet *domains, uint32_t open)
{
    uint32_t wanted = 0;
    unsigned fewest = 257;
    int best = -1;
    for (uint32_t i = 0; i < bytes->joint_count; i++)
        wanted |= bytes->joints[i].open;
    for (uint32_t left = wanted & open; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        unsigned count = byteset_count(&domains[i]);
        if (count < fewest) {
            fewest = count;
            best = i;
        }
    }
    return best;
}

/* Narrows the last open input of each condition that the value of `just` left with one.
 * False if one has no value left. */
static bool look_ahead(FastBytes *bytes, ByteSet *domains, uint32_t open, uint32_t just)
{
    for (uint32_t i = 0; i < bytes->joint_count; i++) {
        uint32_t left = bytes->joints[i].open & open;
        if (!(bytes->joints[i].open & 1u << just) || !left || (left & (left - 1)))
            continue;
        uint32_t last = (uint32_t)__builtin_ctz(left);
        ByteSet set = solve(bytes, bytes->joints[i].condition, last);
        byteset_meet(&domains[last], &set);
        if (byteset_is_empty(&domains[last]))
            return false;
    }
    return true;
}

static void set_value(FastBytes *bytes, uint32_t input, int value)
{
    InputId id = bytes->query->inputs[input];
    Sort sort = input_get(bytes->pool->inputs, id)->sort;
    assignment_set(&bytes->values, id, bits_cut(bytes->windows[input].base + (unsigned)value, sort));
}

static SolverResult search(FastBytes *bytes, const ByteSet *domains, uint32_t open)
{
    const FastQuery *query = bytes->query;
    int input = choose_input(bytes, domains, open);
    if (input < 0) {
        for (uint32_t left = open; left; left &= left - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(left);
            set_value(bytes, i, byteset_next(&domains[i], 0));
        }
        return SOLVER_SAT;
    }
    uint32_t rest = open & ~(1u << input);
    for (int value = byteset_next(&domains[input], 0); value >= 0;
         value = byteset_next(&domains[input], (unsigned)value + 1)) {
        ByteSet narrowed[MOST_INPUTS];
        memcpy(narrowed, domains, query->input_count * sizeof *narrowed);
        set_value(bytes, (uint32_t)input, value);
        SolverResult result = look_ahead(bytes, narrowed, rest, (uint32_t)input) ? search(bytes, narrowed, rest)
                                                                                  : SOLVER_UNSAT;
        if (bytes->spent > bytes->budget && result != SOLVER_SAT)
            return SOLVER_UNKNOWN;
        if (result != SOLVER_UNSAT)
            return result;
        if (value == 255)
            break;
    }
    return SOLVER_UNSAT;
}

SolverResult fast_bytes_search(FastBytes *bytes, const FastQuery *query, const FastWindow *windows, uint64_t *budget,
                               Assignment *assignment)
{
    ByteSet domains[MOST_INPUTS];
    if (query->input_count > MOST_INPUTS)
        return SOLVER_UNKNOWN;
    follow_pool(bytes);
    bytes->query = query;
    bytes->windows = windows;
    bytes->budget = *budget;
    bytes->spent = 0;
    for (uint32_t i = 0; i < query->input_count; i++)
        domains[i] = byteset_first(windows[i].count);
    assignment_reset(&bytes->values);
    if (!read_conditions(bytes, domains))
        return SOLVER_UNKNOWN;
    uint32_t open = query->input_count == 32 ? UINT32_MAX : (1u << query->input_count) - 1;
    SolverResult result = has_empty(domains, query->input_count) ? SOLVER_UNSAT : search(bytes, domains, open);
    *budget = bytes->spent < *budget ? *budget - bytes->spent : 0;
    bool failed = lanes_take_failure(bytes->lanes);
    if (result == SOLVER_SAT)
        assignment_copy(assignment, &bytes->values);
    return result == SOLVER_UNSAT && failed ? SOLVER_UNKNOWN : result;
}

SolverResult fast_bytes_check(FastBytes *bytes, const FastQuery *query, Assignment *assignment)
{
    FastWindow windows[MOST_INPUTS];
    uint64_t budget = BUDGET;
    if (query->input_count > MOST_INPUTS)
        return SOLVER_UNKNOWN;
    for (uint32_t i = 0; i < query->input_count; i++) {
        Sort sort = input_get(query->pool->inputs, query->inputs[i])->sort;
        if (sort == SORT_INT || sort > 8)
            return SOLVER_UNKNOWN;
        windows[i] = (FastWindow){0, 1u << sort};
    }
    return fast_bytes_search(bytes, query, windows, &budget, assignment);
}
