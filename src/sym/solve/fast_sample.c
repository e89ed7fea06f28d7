/* fast_sample.c - an assignment by trial: change an input of a condition that fails, keep what helps
 *
 * Most branches can be turned by changing one or two of their inputs, whatever the
 * arithmetic in between. Starts from the witness, which violates nothing but the goal.
 * The choices are random but a function of the query, so that answers can be repeated.
 */
#include "base/rng.h"
#include "sym/solve/fast_internal.h"
#include "sym/solve/shrink.h"

enum { BUDGET = 12000 /* nodes evaluated, about */, MOST_TRIALS = 300, MOST_CONSTANTS = 32 };

typedef struct Sampling {
    const FastQuery *query;
    Rng rng;
    Bits constants[MOST_CONSTANTS]; /* that occur in the query */
    uint32_t constant_count;
    uint32_t failing; /* a condition that does not hold */
} Sampling;

static uint32_t below(Sampling *s, uint32_t bound)
{
    return rng_below(&s->rng, bound);
}

static void collect_constants(Sampling *s)
{
    const FastQuery *query = s->query;
    for (uint32_t i = 0; i < query->node_count && s->constant_count < MOST_CONSTANTS; i++)
        if (expr_is_const(query->pool, query->nodes[i], &s->constants[s->constant_count]))
            s->constant_count++;
}

/* How many conditions hold; notes one that does not, chosen at random. */
static uint32_t score(Sampling *s, const Assignment *values)
{
    const FastQuery *query = s->query;
    uint32_t good = 0, bad = 0;
    evaluator_use(query->evaluator, values);
    for (uint32_t i = 0; i < query->count; i++) {
        if (evaluator_holds(query->evaluator, query->conditions[i]))
            good++;
        else if (below(s, ++bad) == 0)
            s->failing = i;
    }
    return good;
}

static Bits any_value(Sampling *s)
{
    Bits low = rng_next(&s->rng);
    return low | (Bits)rng_next(&s->rng) << 64;
}

/* Another value for an input that has this one. */
static Bits change(Sampling *s, Bits value, Sort sort)
{
    Bits constant = s->constant_count ? s->constants[below(s, s->constant_count)] : 0;
    switch (below(s, 8)) {
    case 0: return below(s, 16);
    case 1: return -(Bits)below(s, 16);
    case 2: return constant;
    case 3: return constant + 1;
    case 4: return constant - 1;
    case 5: return value + (below(s, 2) ? 1 : -(Bits)1) * (1 + below(s, 9));
    case 6: return value ^ (Bits)1 << below(s, sort == SORT_INT ? 8 : sort);
    default: return sort == SORT_INT ? (Bits)(SignedBits)(int16_t)any_value(s) : any_value(s);
    }
}

static void mutate(Sampling *s, Assignment *values)
{
    const FastQuery *query = s->query;
    const InputSet *inputs = support_of(query->support, query->conditions[s->failing]);
    if (inputs->count == 0)
        return;
    for (uint32_t changes = 1 + (below(s, 4) == 0); changes > 0; changes--) {
        InputId input = inputs->inputs[below(s, inputs->count)];
        Sort sort = input_get(query->pool->inputs, input)->sort;
        assignment_set(values, input, bits_cut(change(s, assignment_get(values, input), sort), sort));
    }
}

static void start_values(const FastQuery *query, Assignment *values)
{
    assignment_reset(values);
    for (uint32_t i = 0; i < query->input_count; i++)
        assignment_set(values, query->inputs[i], query->witness ? assignment_get(query->witness, query->inputs[i]) : 0);
}

/* Walks until all conditions hold or the budget is used up. */
static bool walk(Sampling *s, Assignment *values)
{
    const FastQuery *query = s->query;
    Assignment trial = {0};
    uint32_t best = score(s, values), trials = BUDGET / (query->node_count + 1);
    if (trials > MOST_TRIALS)
        trials = MOST_TRIALS;
    for (uint32_t i = 0; i < trials && best < query->count; i++) {
        uint32_t failing = s->failing;
        assignment_copy(&trial, values);
        mutate(s, &trial);
        uint32_t now = score(s, &trial);
        if (now >= best) {
            assignment_copy(values, &trial);
            best = now;
        } else {
            s->failing = failing;
        }
    }
    assignment_release(&trial);
    return best == query->count;
}

SolverResult fast_sample_check(const FastQuery *query, Assignment *assignment)
{
    Sampling s = {.query = query};
    for (uint32_t i = 0; i < query->count; i++)
        s.rng.state += expr_get(query->pool, query->conditions[i])->hash;
    collect_constants(&s);
    start_values(query, assignment);
    if (!walk(&s, assignment))
        return SOLVER_UNKNOWN;
    shrink_assignment(query->evaluator, query->pool, query->conditions, query->count, query->inputs, query->input_count,
                      assignment);
    return SOLVER_SAT;
}
