/* solver_small.c - shrinks the assignments of the layers behind it (shrink.h) */
#include <stdlib.h>

#include "base/mem.h"
#include "sym/solve/shrink.h"
#include "sym/solve/solver_layers.h"

typedef struct SmallLayer {
    Solver solver;
    const ExprPool *pool;
    Support *support;
    Evaluator *evaluator;
} SmallLayer;

static SolverResult check(Solver *solver, const SolverQuery *query, SolverAnswer *answer)
{
    SmallLayer *self = (SmallLayer *)solver;
    SolverResult result = solver_ask(solver->next, query, answer);
    if (result != SOLVER_SAT)
        return result;
    uint32_t count;
    const InputId *inputs = support_of_all(self->support, query->conditions, query->count, &count);
    shrink_assignment(self->evaluator, self->pool, query->conditions, query->count, inputs, count, &answer->assignment);
    return result;
}

static void destroy(Solver *solver)
{
    SmallLayer *self = (SmallLayer *)solver;
    support_destroy(self->support);
    evaluator_destroy(self->evaluator);
    free(self);
}

Solver *solver_small_create(const ExprPool *pool)
{
    static const SolverOps ops = {check, destroy};
    SmallLayer *self = mem_alloc(sizeof *self);
    self->solver.ops = &ops;
    self->pool = pool;
    self->support = support_create(pool);
    self->evaluator = evaluator_create(pool);
    return &self->solver;
}
