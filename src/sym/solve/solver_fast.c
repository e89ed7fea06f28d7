/* solver_fast.c - queries that need no solver: small domains, orders, ranges, samples */
#include <stdlib.h>

#include "base/mem.h"
#include "sym/solve/fast_internal.h"
#include "sym/solve/solver_layers.h"

/* Nodes computed for 256 values: a fraction of a millisecond, and some ten of them. */
enum { SMALL_BUDGET = 4000, LARGE_BUDGET = 100000 };

typedef struct FastLayer {
    Solver solver;
    Cone *cone;
    Support *support;
    Evaluator *evaluator;
    FastBytes *bytes;
    FastOrder *order;
    FastRange *range;
} FastLayer;

bool fast_confirms(const FastQuery *query, const Assignment *assignment)
{
    evaluator_use(query->evaluator, assignment);
    for (uint32_t i = query->count; i-- > 0;)
        if (!evaluator_holds(query->evaluator, query->conditions[i]))
            return false;
    return true;
}

static FastQuery describe(FastLayer *self, const SolverQuery *query)
{
    FastQuery fast = {.pool = query->pool,
                      .conditions = query->conditions,
                      .count = query->count,
                      .witness = query->witness,
                      .cone = self->cone,
                      .support = self->support,
                      .evaluator = self->evaluator};
    fast.nodes = cone_collect(self->cone, query->conditions, query->count, &fast.node_count);
    fast.inputs = support_of_all(self->support, query->conditions, query->count, &fast.input_count);
    return fast;
}

static SolverResult decide(FastLayer *self, const FastQuery *fast, Assignment *assignment)
{
    SolverResult result = fast_bytes_check(self->bytes, fast, assignment);
    if (result == SOLVER_UNKNOWN)
        result = fast_order_check(self->order, fast, assignment);
    if (result == SOLVER_UNKNOWN)
        result = fast_range_check(self->range, fast, assignment);
    if (result == SOLVER_UNKNOWN)
        result = fast_window_check(self->bytes, self->range, fast, SMALL_BUDGET, assignment);
    if (result == SOLVER_UNKNOWN)
        result = fast_sample_check(fast, assignment);
    if (result == SOLVER_UNKNOWN)
        result = fast_window_check(self->bytes, self->range, fast, LARGE_BUDGET, assignment);
    return result;
}

static SolverResult check(Solver *solver, const SolverQuery *query, SolverAnswer *answer)
{
    FastLayer *self = (FastLayer *)solver;
    FastQuery fast = describe(self, query);
    SolverResult result = decide(self, &fast, &answer->assignment);
    return result == SOLVER_UNKNOWN ? solver_ask(solver->next, query, answer) : result;
}

static void destroy(Solver *solver)
{
    FastLayer *self = (FastLayer *)solver;
    cone_destroy(self->cone);
    support_destroy(self->support);
    evaluator_destroy(self->evaluator);
    fast_bytes_destroy(self->bytes);
    fast_order_destroy(self->order);
    fast_range_destroy(self->range);
    free(self);
}

Solver *solver_fast_create(const ExprPool *pool)
{
    static const SolverOps ops = {check, destroy};
    FastLayer *self = mem_alloc(sizeof *self);
    self->solver.ops = &ops;
    self->cone = cone_create(pool);
    self->support = support_create(pool);
    self->evaluator = evaluator_create(pool);
    self->bytes = fast_bytes_create(pool);
    self->order = fast_order_create();
    self->range = fast_range_create();
    return &self->solver;
}
