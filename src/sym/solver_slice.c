/* solver_slice.c - a query is answered from the conditions that share inputs with its goal
 *
 * Inputs outside of that part keep the witness's values. Without a witness every other
 * part is solved too, one by one, since only then is there a complete answer.
 */
#include "base/vec.h"
#include "sym/solver_layers.h"

typedef struct SliceLayer {
    Solver solver;
    Support *support;
    bool whole; /* do not slice: for measuring what it is worth */
    uint32_t timeout_ms;
    VEC(ExprId) conditions;
} SliceLayer;

/* Takes the values of all inputs of the part from `model`. */
static void take_values(SliceLayer *self, const SolverQuery *part, const Assignment *model, Assignment *all)
{
    uint32_t count;
    const InputId *inputs = support_of_all(self->support, part->conditions, part->count, &count);
    for (uint32_t i = 0; i < count; i++)
        assignment_set(all, inputs[i], assignment_get(model, inputs[i]));
}

static SolverResult ask_part(SliceLayer *self, const SolverQuery *part, Assignment *all)
{
    if (part->count == 0)
        return SOLVER_SAT;
    SolverAnswer answer = {0};
    SolverResult result = solver_ask(self->solver.next, part, &answer);
    if (result == SOLVER_SAT)
        take_values(self, part, &answer.model, all);
    assignment_release(&answer.model);
    return result;
}

/* All parts that have nothing to do with the conditions from `from` on. */
static SolverResult ask_others(SliceLayer *self, const SolverQuery *query, uint32_t from, Assignment *all)
{
    SolverQuery part = *query;
    part.pc = NULL;
    part.conditions = self->conditions.items;
    part.fresh = 0;
    uint32_t cursor = 0;
    while ((part.count = pathcond_other_part(query->pc, from, &cursor, self->conditions.items)) > 0) {
        SolverResult result = ask_part(self, &part, all);
        if (result != SOLVER_SAT)
            return result;
    }
    return SOLVER_SAT;
}

static SolverResult ask_connected(SliceLayer *self, const SolverQuery *query, uint32_t from, Assignment *all)
{
    SolverQuery part = *query;
    part.pc = NULL;
    part.conditions = self->conditions.items;
    part.count = pathcond_slice(query->pc, self->whole ? 0 : from, self->conditions.items);
    return ask_part(self, &part, all);
}

static SolverResult check(Solver *solver, const SolverQuery *asked, SolverAnswer *answer)
{
    SliceLayer *self = (SliceLayer *)solver;
    SolverQuery query = *asked;
    uint32_t count = pathcond_count(query.pc), from = count - query.fresh;
    VEC_RESERVE(&self->conditions, count + 1);
    query.witness = pathcond_find_witness_below(query.pc, from);
    query.timeout_ms = self->timeout_ms;

    Assignment all = {0};
    if (query.witness)
        assignment_copy(&all, query.witness);
    SolverResult result = ask_connected(self, &query, from, &all);
    if (result == SOLVER_SAT && !query.witness && !self->whole)
        result = ask_others(self, &query, from, &all);
    if (result == SOLVER_SAT)
        assignment_copy(&answer->model, &all);
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
