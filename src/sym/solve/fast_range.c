/* fast_range.c - bounds and known bits of all nodes, and a short search for an assignment
 *
 * The conditions are propagated down to the inputs and up again until nothing changes. A node with an empty domain is
 * a contradiction. Otherwise one input after the other gets a value near zero, and the consequences are propagated; a
 * value that leads to a contradiction is removed from the input's domain if it lies at its border. When a domain
 * becomes empty that way, the search has been complete.
 */
#include <string.h>

#include "sym/expr/domain.h"
#include "sym/solve/fast_internal.h"

enum { MOST_NODES = 2000, MOST_SEARCH_NODES = 400, MOST_SEARCH_INPUTS = 24, ROUNDS = 8, TRIALS = 40 };

struct FastRange {
    const FastQuery *query;
    VEC(DomainFrame) frames; /* by cone position; leaves have no operands */
    VEC(Domain) domains;     /* the current ones, then those saved per depth */
    uint32_t trials;
    VEC(Domain) inputs;      /* by input of the query: before the search */
};

FastRange *fast_range_create(void)
{
    return mem_alloc(sizeof(FastRange));
}

void fast_range_destroy(FastRange *range)
{
    if (!range)
        return;
    VEC_FREE(&range->frames);
    VEC_FREE(&range->domains);
    VEC_FREE(&range->inputs);
    free(range);
}

/* ---- Propagation ----------------------------------------------------------------------------- */

static bool carry_up(FastRange *range, bool *changed)
{
    for (uint32_t i = 0; i < range->query->node_count; i++) {
        const DomainFrame *frame = &range->frames.items[i];
        if (!frame->operands[0])
            continue;
        Domain d = domain_forward(frame);
        if (!domain_reduce(&d, frame->node->sort) || !domain_meet(frame->result, &d, frame->node->sort, changed))
            return false;
    }
    return true;
}

static bool carry_down(FastRange *range, bool *changed)
{
    for (uint32_t i = range->query->node_count; i-- > 0;) {
        const DomainFrame *frame = &range->frames.items[i];
        if (frame->operands[0] && !domain_backward(frame, changed))
            return false;
    }
    return true;
}

/* False if some node has no value left. */
static bool propagate(FastRange *range)
{
    bool changed = true;
    for (int round = 0; round < ROUNDS && changed; round++) {
        changed = false;
        if (!carry_down(range, &changed) || !carry_up(range, &changed))
            return false;
    }
    return true;
}

/* ---- Set-up ------------------------------------------------------------------------------------ */

static void fill_frame(FastRange *range, uint32_t position)
{
    const FastQuery *query = range->query;
    const ExprNode *node = expr_get(query->pool, query->nodes[position]);
    DomainFrame frame = {.node = node, .result = &range->domains.items[position]};
    for (unsigned k = 0; k < expr_operands((ExprOp)node->op); k++) {
        ExprId operand = expr_operand(node, k);
        frame.sorts[k] = expr_sort(query->pool, operand);
        frame.operands[k] = &range->domains.items[cone_position(query->cone, operand)];
    }
    *frame.result = node->op == EXPR_CONST ? domain_const(node->sort, expr_value(node)) : domain_top(node->sort);
    range->frames.items[position] = frame;
}

static bool start(FastRange *range, const FastQuery *query)
{
    range->query = query;
    range->trials = 0;
    VEC_RESERVE(&range->frames, query->node_count);
    VEC_RESERVE(&range->domains, query->node_count * (MOST_SEARCH_INPUTS + 2));
    for (uint32_t i = 0; i < query->node_count; i++)
        fill_frame(range, i);
    bool changed;
    Domain yes = domain_const(SORT_BOOL, 1);
    for (uint32_t i = 0; i < query->count; i++) {
        uint32_t position = cone_position(query->cone, query->conditions[i]);
        if (!domain_meet(&range->domains.items[position], &yes, SORT_BOOL, &changed))
            return false;
    }
    return carry_up(range, &changed) && propagate(range);
}

/* ---- Search -------------------------------------------------------------------------------------- */

static uint32_t position_of_input(const FastRange *range, uint32_t input)
{
    return cone_position(range->query->cone, expr_input(range->query->pool, range->query->inputs[input]));
}

static Sort sort_of_input(const FastRange *range, uint32_t input)
{
    return input_get(range->query->pool->inputs, range->query->inputs[input])->sort;
}

static void save(FastRange *range, uint32_t depth)
{
    uint32_t count = range->query->node_count;
    memcpy(range->domains.items + (depth + 1) * count, range->domains.items, count * sizeof(Domain));
}

static void restore(FastRange *range, uint32_t depth)
{
    uint32_t count = range->query->node_count;
    memcpy(range->domains.items, range->domains.items + (depth + 1) * count, count * sizeof(Domain));
}

/* The member nearest to zero according to the bounds. */
static Bits near_zero(const Domain *d, Sort sort)
{
    if (d->slo > 0)
        return bits_cut((Bits)(SignedBits)d->slo, sort);
    if (d->shi < 0)
        return bits_cut((Bits)(SignedBits)d->shi, sort);
    return domain_contains(d, sort, 0) ? 0 : d->lo;
}

/* Removes the value from the input's saved domain. False if it does not lie at its border: then the domain cannot
 * express that. */
static bool take_out(FastRange *range, uint32_t depth, uint32_t input, Bits value)
{
    uint32_t position = position_of_input(range, input);
    Domain *d = &range->domains.items[(depth + 1) * range->query->node_count + position];
    Sort sort = sort_of_input(range, input);
    int64_t v = (int64_t)bits_signed(value, sort);
    if (sort > 64)
        return false;
    if (sort != SORT_INT && d->lo == (uint64_t)value && d->lo < d->hi)
        d->lo++;
    else if (sort != SORT_INT && d->hi == (uint64_t)value && d->lo < d->hi)
        d->hi--;
    else if (d->slo == v && v < d->shi)
        d->slo++;
    else if (d->shi == v && v > d->slo)
        d->shi--;
    else
        return false;
    return true;
}

/* The value to try next: near zero first, then the witness's. */
static Bits choose_value(const FastRange *range, const Domain *d, uint32_t input, unsigned trial)
{
    const Assignment *witness = range->query->witness;
    Sort sort = sort_of_input(range, input);
    if (trial == 1 && witness && domain_contains(d, sort, assignment_get(witness, range->query->inputs[input])))
        return assignment_get(witness, range->query->inputs[input]);
    return near_zero(d, sort);
}

static SolverResult search(FastRange *range, uint32_t input, Assignment *assignment);

/* With the input fixed to the value; the domains are lost. */
static SolverResult try_value(FastRange *range, uint32_t input, Bits value, Assignment *assignment)
{
    Sort sort = sort_of_input(range, input);
    Domain single = domain_const(sort, value);
    bool changed;
    if (!domain_meet(&range->domains.items[position_of_input(range, input)], &single, sort, &changed) ||
        !propagate(range))
        return SOLVER_UNSAT;
    assignment_set(assignment, range->query->inputs[input], value);
    return search(range, input + 1, assignment);
}

/* Gives values to the inputs from this one on. UNSAT means that there are none. */
static SolverResult search(FastRange *range, uint32_t input, Assignment *assignment)
{
    if (input == range->query->input_count)
        return fast_confirms(range->query, assignment) ? SOLVER_SAT : SOLVER_UNKNOWN;
    save(range, input);
    uint32_t position = position_of_input(range, input);
    for (unsigned trial = 0; range->trials++ < TRIALS; trial++) {
        const Domain *d = &range->domains.items[position];
        Bits only, value = choose_value(range, d, input, trial);
        bool last = domain_is_single(d, sort_of_input(range, input), &only);
        SolverResult result = try_value(range, input, value, assignment);
        if (result == SOLVER_SAT || (result == SOLVER_UNSAT && last))
            return result;
        if (result == SOLVER_UNKNOWN)
            return SOLVER_UNKNOWN;
        if (!take_out(range, input, input, value) && trial > 0)
            return SOLVER_UNKNOWN;
        restore(range, input);
        if (!domain_reduce(&range->domains.items[position], sort_of_input(range, input)) || !propagate(range))
            return SOLVER_UNSAT;
        save(range, input);
    }
    return SOLVER_UNKNOWN;
}

static void note_bounds(FastRange *range)
{
    for (uint32_t i = 0; i < range->query->input_count; i++)
        VEC_PUSH(&range->inputs, range->domains.items[position_of_input(range, i)]);
}

bool fast_range_bounds(const FastRange *range, uint32_t input, Bits *low, uint64_t *count)
{
    if (input >= range->inputs.count)
        return false;
    const Domain *d = &range->inputs.items[input];
    Sort sort = sort_of_input(range, input);
    uint64_t of_signed = (uint64_t)d->shi - (uint64_t)d->slo, of_unsigned = d->hi - d->lo;
    if (sort > 64 || (sort == SORT_INT && (d->slo == INT64_MIN || d->shi == INT64_MAX)))
        return false;
    bool use_signed = sort == SORT_INT || of_signed < of_unsigned;
    *low = use_signed ? bits_cut((Bits)(SignedBits)d->slo, sort) : d->lo;
    *count = use_signed ? of_signed : of_unsigned;
    return ++*count != 0;
}

SolverResult fast_range_check(FastRange *range, const FastQuery *query, Assignment *assignment)
{
    range->inputs.count = 0;
    if (query->node_count > MOST_NODES)
        return SOLVER_UNKNOWN;
    if (!start(range, query))
        return SOLVER_UNSAT;
    note_bounds(range);
    if (query->node_count > MOST_SEARCH_NODES || query->input_count > MOST_SEARCH_INPUTS)
        return SOLVER_UNKNOWN;
    assignment_reset(assignment);
    return search(range, 0, assignment);
}
