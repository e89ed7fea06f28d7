/* solver_check.c - a second opinion on every answer that passes through
 *
 * An assignment must satisfy all conditions, and the solver at the end of the chain must not find an UNSAT query
 * satisfiable. A wrong answer is a bug of Sennit: the query is printed and the process aborts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sym/solve/smt2.h"
#include "sym/solve/solver_layers.h"

typedef struct CheckLayer {
    Solver solver;
    Evaluator *evaluator;
    Solver *second;
} CheckLayer;

static void complain(const SolverQuery *query, const char *what)
{
    Text text = {0};
    smt2_write_query(query->pool, query->conditions, query->count, &text);
    fprintf(stderr, "sennit: %s; the query was\n%s", what, text_borrow(&text));
    abort();
}

static void check_assignment(CheckLayer *self, const SolverQuery *query, const SolverAnswer *answer)
{
    evaluator_use(self->evaluator, &answer->assignment);
    for (uint32_t i = 0; i < query->count; i++)
        if (!evaluator_holds(self->evaluator, query->conditions[i]))
            complain(query, "an assignment does not satisfy its query");
}

static void check_unsat(CheckLayer *self, const SolverQuery *query)
{
    if (!self->second)
        return;
    SolverAnswer other = {0};
    SolverResult result = self->second->ops->check(self->second, query, &other);
    assignment_release(&other.assignment);
    if (result == SOLVER_SAT)
        complain(query, "a satisfiable query was answered with UNSAT");
}

static SolverResult check(Solver *solver, const SolverQuery *query, SolverAnswer *answer)
{
    CheckLayer *self = (CheckLayer *)solver;
    SolverResult result = solver_ask(solver->next, query, answer);
    if (result == SOLVER_SAT)
        check_assignment(self, query, answer);
    if (result == SOLVER_UNSAT)
        check_unsat(self, query);
    return result;
}

static void destroy(Solver *solver)
{
    CheckLayer *self = (CheckLayer *)solver;
    evaluator_destroy(self->evaluator);
    free(self);
}

Solver *solver_check_create(const ExprPool *pool, Solver *second)
{
    static const SolverOps ops = {check, destroy};
    CheckLayer *self = mem_alloc(sizeof *self);
    self->solver.ops = &ops;
    self->evaluator = evaluator_create(pool);
    self->second = second;
    return &self->solver;
}
