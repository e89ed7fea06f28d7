/* solver_reuse.c - the witness or a model of the latest queries may fit again
 *
 * A model is kept complete: the values that were found over those of the witness. What
 * is true under it is remembered per condition, so trying it again costs a look.
 */
#include <string.h>

#include "base/vec.h"
#include "sym/solve/solver_layers.h"

enum { MODELS = 16 };

typedef enum Truth { TRUTH_UNKNOWN, TRUTH_FALSE, TRUTH_TRUE } Truth;

typedef struct Model {
    Assignment values;
    VEC(uint8_t) truth; /* by node id */
    bool used;
} Model;

typedef struct ReuseLayer {
    Solver solver;
    const ExprPool *pool;
    Evaluator *evaluator;
    const Model *in_evaluator; /* whose values it uses, or NULL */
    Model models[MODELS];
    uint32_t latest;
    uint32_t generation;
} ReuseLayer;

/* ---- Truth under a model ----------------------------------------------------- */

static void forget_truth(Model *model)
{
    if (model->truth.count)
        memset(model->truth.items, TRUTH_UNKNOWN, model->truth.count);
}

static uint8_t *truth_of(ReuseLayer *self, Model *model, ExprId condition)
{
    uint32_t count = expr_count(self->pool);
    if (model->truth.count < count) {
        VEC_RESERVE(&model->truth, count);
        memset(model->truth.items + model->truth.count, TRUTH_UNKNOWN, model->truth.room - model->truth.count);
        model->truth.count = model->truth.room;
    }
    return &model->truth.items[condition.id];
}

static bool holds_under(ReuseLayer *self, Model *model, ExprId condition)
{
    uint8_t *truth = truth_of(self, model, condition);
    if (*truth == TRUTH_UNKNOWN) {
        if (self->in_evaluator != model)
            evaluator_use(self->evaluator, &model->values);
        self->in_evaluator = model;
        *truth = evaluator_holds(self->evaluator, condition) ? TRUTH_TRUE : TRUTH_FALSE;
    }
    return *truth == TRUTH_TRUE;
}

/* From the last condition on: the goal rules out most models. */
static bool satisfies(ReuseLayer *self, Model *model, const SolverQuery *query)
{
    for (uint32_t i = query->count; i-- > 0;)
        if (!holds_under(self, model, query->conditions[i]))
            return false;
    return true;
}

/* ---- Models ------------------------------------------------------------------- */

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

/* The latest model that fits, or NULL. */
static const Assignment *find_model(ReuseLayer *self, const SolverQuery *query)
{
    for (uint32_t i = 0; i < MODELS; i++) {
        Model *model = &self->models[(self->latest + MODELS - i) % MODELS];
        if (model->used && satisfies(self, model, query))
            return &model->values;
    }
    return NULL;
}

static void remember(ReuseLayer *self, const SolverQuery *query, const Assignment *found)
{
    self->latest = (self->latest + 1) % MODELS;
    Model *model = &self->models[self->latest];
    assignment_reset(&model->values);
    if (query->witness)
        assignment_copy(&model->values, query->witness);
    assignment_overlay(&model->values, found);
    forget_truth(model);
    model->used = true;
    if (self->in_evaluator == model)
        self->in_evaluator = NULL;
}

static void follow_pool(ReuseLayer *self)
{
    if (self->generation == self->pool->generation)
        return;
    self->generation = self->pool->generation;
    for (uint32_t i = 0; i < MODELS; i++)
        forget_truth(&self->models[i]);
}

/* ---- The layer ------------------------------------------------------------------ */

static SolverResult check(Solver *solver, const SolverQuery *query, SolverAnswer *answer)
{
    ReuseLayer *self = (ReuseLayer *)solver;
    follow_pool(self);
    const Assignment *model = try_witness(self, query) ? query->witness : find_model(self, query);
    if (model) {
        assignment_copy(&answer->model, model);
        return SOLVER_SAT;
    }
    SolverResult result = solver_ask(solver->next, query, answer);
    if (result == SOLVER_SAT)
        remember(self, query, &answer->model);
    return result;
}

static void destroy(Solver *solver)
{
    ReuseLayer *self = (ReuseLayer *)solver;
    evaluator_destroy(self->evaluator);
    for (uint32_t i = 0; i < MODELS; i++) {
        assignment_release(&self->models[i].values);
        VEC_FREE(&self->models[i].truth);
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
