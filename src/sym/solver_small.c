/* solver_small.c - makes the values of a model small: 0 where possible, else near 0
 *
 * A solver's model holds whatever the search came across. Each input in turn is given
 * smaller values as long as all conditions still hold; that takes evaluation only.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "sym/solver_layers.h"

typedef struct SmallLayer {
    Solver solver;
    const ExprPool *pool;
    Support *support;
    Evaluator *evaluator;
} SmallLayer;

static bool all_hold(SmallLayer *self, const SolverQuery *query, const Assignment *model)
{
    evaluator_use(self->evaluator, model);
    for (uint32_t i = query->count; i-- > 0;)
        if (!evaluator_holds(self->evaluator, query->conditions[i]))
            return false;
    return true;
}

/* Keeps the value if the conditions still hold. */
static bool try_value(SmallLayer *self, const SolverQuery *query, Assignment *model, InputId input, Bits value)
{
    Bits old = assignment_get(model, input);
    if (value == old)
        return false;
    assignment_set(model, input, value);
    if (all_hold(self, query, model))
        return true;
    assignment_set(model, input, old);
    return false;
}

/* 0, or else by ever smaller steps towards it. */
static void shrink_input(SmallLayer *self, const SolverQuery *query, Assignment *model, InputId input)
{
    Sort sort = input_get(self->pool->inputs, input)->sort;
    if (assignment_get(model, input) == 0 || try_value(self, query, model, input, 0))
        return;
    SignedBits step = bits_signed(assignment_get(model, input), sort) / 2;
    for (; step != 0; step /= 2) {
        SignedBits value = bits_signed(assignment_get(model, input), sort);
        try_value(self, query, model, input, bits_cut((Bits)(value - step), sort));
    }
}

static SolverResult check(Solver *solver, const SolverQuery *query, SolverAnswer *answer)
{
    SmallLayer *self = (SmallLayer *)solver;
    SolverResult result = solver_ask(solver->next, query, answer);
    if (result != SOLVER_SAT)
        return result;
    uint32_t count;
    const InputId *inputs = support_of_all(self->support, query->conditions, query->count, &count);
    for (uint32_t i = 0; i < count; i++)
        shrink_input(self, query, &answer->model, inputs[i]);
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
