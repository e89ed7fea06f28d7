/* solver_reuse.c - the witness or an assignment of a recent query may satisfy this one
 *
 * A known assignment is complete: the values that were found override those of the witness. The truth of each condition
 * under it is remembered, so trying it again costs a lookup.
 */
#include <string.h>

#include "base/vec.h"
#include "sym/solve/solver_layers.h"

enum { KNOWN_ASSIGNMENTS = 16 };

typedef enum Truth { TRUTH_UNKNOWN, TRUTH_FALSE, TRUTH_TRUE } Truth;

typedef struct KnownAssignment {
    Assignment values;
    VEC(uint8_t) truth; /* by node id */
    bool used;
} KnownAssignment;

typedef struct ReuseLayer {
    Solver solver;
    const ExprPool *pool;
    Evaluator *evaluator;
    const KnownAssignment *in_evaluator; /* whose values it uses, or NULL */
    KnownAssignment known[KNOWN_ASSIGNMENTS];
    uint32_t latest;
    uint32_t generation;
} ReuseLayer;

/* ---- Truth under an assignment ----------------------------------------------------- */

static void forget_truth(KnownAssignment *known)
{
    if (known->truth.count)
        memset(known->truth.items, TRUTH_UNKNOWN, known->truth.count);
}

static uint8_t *truth_of(ReuseLayer *self, KnownAssignment *known, ExprId condition)
{
    uint32_t count = expr_count(self->pool);
    if (known->truth.count < count) {
        VEC_RESERVE(&known->truth, count);
        memset(known->truth.items + known->truth.count, TRUTH_UNKNOWN, known->truth.room - known->truth.count);
        known->truth.count = known->truth.room;
    }
    return &known->truth.items[condition.id];
}

static bool holds_under(ReuseLayer *self, KnownAssignment *known, ExprId condition)
{
    uint8_t *truth = truth_of(self, known, condition);
    if (*truth == TRUTH_UNKNOWN) {
        if (self->in_evaluator != known)
            evaluator_use(self->evaluator, &known->values);
        self->in_evaluator = known;
        *truth = evaluator_holds(self->evaluator, condition) ? TRUTH_TRUE : TRUTH_FALSE;
    }
    return *truth == TRUTH_TRUE;
}

/* From the last condition on: the goal rules out most assignments. */
static bool satisfies(ReuseLayer *self, KnownAssignment *known, const SolverQuery *query)
{
    for (uint32_t i = query->count; i-- > 0;)
        if (!holds_under(self, known, query->conditions[i]))
            return false;
    return true;
}

/* ---- Assignments ------------------------------------------------------------------- */

static bool try_witness(ReuseLayer *self, const SolverQuery *query)
{
    if (!query->witness)
        return false;
    evaluator_use(self->evaluator, query->witness);
    self->in_evaluator = NULL;
    for (uint32_t i = query->count - query->fresh; i < query->count; i++)
        if (!evaluator_holds(self->evaluator, query->conditions[i]))
            return false;
    return true;
}

/* The latest assignment that fits, or NULL. */
static const Assignment *find_known(ReuseLayer *self, const SolverQuery *query)
{
    for (uint32_t i = 0; i < KNOWN_ASSIGNMENTS; i++) {
        KnownAssignment *known = &self->known[(self->latest + KNOWN_ASSIGNMENTS - i) % KNOWN_ASSIGNMENTS];
        if (known->used && satisfies(self, known, query))
            return &known->values;
    }
    return NULL;
}

static void remember(ReuseLayer *self, const SolverQuery *query, const Assignment *found)
{
    self->latest = (self->latest + 1) % KNOWN_ASSIGNMENTS;
    KnownAssignment *known = &self->known[self->latest];
    assignment_reset(&known->values);
    if (query->witness)
        assignment_copy(&known->values, query->witness);
    assignment_overlay(&known->values, found);
    forget_truth(known);
    known->used = true;
    if (self->in_evaluator == known)
        self->in_evaluator = NULL;
}

static void follow_pool(ReuseLayer *self)
{
    if (self->generation == self->pool->generation)
        return;
    self->generation = self->pool->generation;
    for (uint32_t i = 0; i < KNOWN_ASSIGNMENTS; i++)
        forget_truth(&self->known[i]);
}

/* ---- The layer ------------------------------------------------------------------ */

static SolverResult check(Solver *solver, const SolverQuery *query, SolverAnswer *answer)
{
    ReuseLayer *self = (ReuseLayer *)solver;
    follow_pool(self);
    const Assignment *fitting = try_witness(self, query) ? query->witness : find_known(self, query);
    if (fitting) {
        assignment_copy(&answer->assignment, fitting);
        return SOLVER_SAT;
    }
    SolverResult result = solver_ask(solver->next, query, answer);
    if (result == SOLVER_SAT)
        remember(self, query, &answer->assignment);
    return result;
}

static void destroy(Solver *solver)
{
    ReuseLayer *self = (ReuseLayer *)solver;
    evaluator_destroy(self->evaluator);
    for (uint32_t i = 0; i < KNOWN_ASSIGNMENTS; i++) {
        assignment_release(&self->known[i].values);
        VEC_FREE(&self->known[i].truth);
    }
    free(self);
}

Solver *solver_reuse_create(const ExprPool *pool)
{
    static const SolverOps ops = {check, destroy};
    ReuseLayer *self = mem_alloc(sizeof *self);
    self->solver.ops = &ops;
    self->pool = pool;
    self->generation = pool->generation;
    self->evaluator = evaluator_create(pool);
    return &self->solver;
}
