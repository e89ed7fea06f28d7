/* solver_slice.c - a query is answered from the conditions that share inputs with its goal
 *
 * Independent groups of conditions are solved one by one. Inputs that are independent of the goal keep the witness's
 * values. Without a witness their groups are solved too, since the answer has to be complete.
 */
#include "base/vec.h"
#include "sym/solve/solver_layers.h"

typedef struct SliceLayer {
    Solver solver;
    Support *support;
    bool whole; /* do not slice, for measurements */
    uint32_t timeout_ms;
    VEC(ExprId) conditions;
} SliceLayer;

/* Takes the values of all inputs of the part from `assignment`. */
static void take_values(SliceLayer *self, const SolverQuery *part, const Assignment *assignment, Assignment *all)
{
    uint32_t count;
    const InputId *inputs = support_of_all(self->support, part->conditions, part->count, &count);
    for (uint32_t i = 0; i < count; i++)
        assignment_set(all, inputs[i], assignment_get(assignment, inputs[i]));
}

static SolverResult ask_part(SliceLayer *self, const SolverQuery *part, Assignment *all)
{
    if (part->count == 0)
        return SOLVER_SAT;
    SolverAnswer answer = {0};
    SolverResult result = solver_ask(self->solver.next, part, &answer);
    if (result == SOLVER_SAT)
        take_values(self, part, &answer.assignment, all);
    assignment_release(&answer.assignment);
    return result;
}

/* Group by group; with a witness only those that have a part of the goal. */
static SolverResult ask_groups(SliceLayer *self, const SolverQuery *query, Assignment *all)
{
    SolverQuery group = *query;
    GroupWalk walk = {.from = pathcond_count(query->pc) - query->fresh};
    group.pc = NULL;
    group.conditions = self->conditions.items;
    while ((group.count = pathcond_next_group(query->pc, &walk, self->conditions.items, &group.fresh)) > 0) {
        if (group.fresh == 0 && query->witness)
            return SOLVER_SAT;
        SolverResult result = ask_part(self, &group, all);
        if (result != SOLVER_SAT)
            return result;
    }
    return SOLVER_SAT;
}

static SolverResult ask_whole(SliceLayer *self, const SolverQuery *query, Assignment *all)
{
    SolverQuery whole = *query;
    whole.pc = NULL;
    whole.conditions = self->conditions.items;
    whole.count = pathcond_count(query->pc);
    for (uint32_t i = 0; i < whole.count; i++)
        self->conditions.items[i] = pathcond_get(query->pc, i);
    return ask_part(self, &whole, all);
}

static SolverResult check(Solver *solver, const SolverQuery *asked, SolverAnswer *answer)
{
    SliceLayer *self = (SliceLayer *)solver;
    SolverQuery query = *asked;
    uint32_t count = pathcond_count(query.pc);
    VEC_RESERVE(&self->conditions, count + 1);
    query.witness = pathcond_find_witness_below(query.pc, count - query.fresh);
    query.timeout_ms = self->timeout_ms;

    Assignment all = {0};
    if (query.witness)
        assignment_copy(&all, query.witness);
    SolverResult result = self->whole ? ask_whole(self, &query, &all) : ask_groups(self, &query, &all);
    if (result == SOLVER_SAT)
        assignment_copy(&answer->assignment, &all);
    assignment_release(&all);
    return result;
}

static void destroy(Solver *solver)
{
    SliceLayer *self = (SliceLayer *)solver;
    support_destroy(self->support);
    VEC_FREE(&self->conditions);
    free(self);
}

Solver *solver_slice_create(const ExprPool *pool, uint32_t timeout_ms, bool whole)
{
    static const SolverOps ops = {check, destroy};
    SliceLayer *self = mem_alloc(sizeof *self);
    self->solver.ops = &ops;
    self->support = support_create(pool);
    self->timeout_ms = timeout_ms;
    self->whole = whole;
    return &self->solver;
}
