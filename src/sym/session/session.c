/* session.c - see session.h */
#include "sym/session/session.h"

#include <stdlib.h>

#include "base/mem.h"
#include "sym/expr/hash.h"
#include "sym/session/session_internal.h"
#include "sym/solve/solver_remote.h"

/* Beyond this many nodes the pool is emptied between two executions. */
enum { POOL_NODES = 1 << 26, POOL_LIMIT = 1 << 20 };

#ifdef SENNIT_DEBUG
static const bool always_check = true;
#else
static const bool always_check = false;
#endif

/* ---- Lifecycle ------------------------------------------------------------------- */

static Solver *make_solver(ExprPool *pool, const SessionOptions *options, SolverStats *stats, Error *error)
{
    Solver *end = NULL;
    if (options->solver && !(end = solver_remote_create(pool, options->solver, error)))
        return NULL;
    if (end)
        solver_remote_set_clock(end, options->may_continue, options->context);
    SolverOptions chain = {.pool = pool, .end = end, .timeout_ms = options->timeout_ms, .log_dir = options->log_dir,
                           .check = options->check || always_check, .timing = options->timing, .stats = stats};
    return solver_chain_create(&chain);
}

Session *session_create(Archive *archive, const SessionOptions *options, Error *error)
{
    Session *session = mem_alloc(sizeof *session);
    session->pool = expr_pool_create(POOL_NODES);
    if (!session->pool)
        mem_exhausted((size_t)POOL_NODES * sizeof(ExprNode));
    session->archive = archive;
    session->stats = archive_claim_stats(archive);
    if (!session->stats)
        session->stats = &session->own;
    session->solver = make_solver(session->pool, options, session->stats->layers, error);
    if (!session->solver) {
        archive_return_stats(archive, session->stats);
        expr_pool_destroy(session->pool);
        free(session);
        return NULL;
    }
    session->start = expr_mark(session->pool);
    session->pool_limit = options->pool_limit ? options->pool_limit : POOL_LIMIT;
    session->support = support_create(session->pool);
    session->evaluator = evaluator_create(session->pool);
    session->path = pathcond_create(session->pool);
    session->changed = true;
    return session;
}

void session_destroy(Session *session)
{
    if (!session)
        return;
    archive_return_stats(session->archive, session->stats);
    solver_destroy(session->solver);
    pathcond_destroy(session->path);
    evaluator_destroy(session->evaluator);
    support_destroy(session->support);
    transfer_release(&session->to_archive);
    transfer_release(&session->from_archive);
    assignment_release(&session->inputs);
    map_release(&session->given);
    map_release(&session->answers);
    VEC_FREE(&session->met);
    VEC_FREE(&session->met_in);
    VEC_FREE(&session->values);
    VEC_FREE(&session->literals);
    VEC_FREE(&session->marks);
    expr_pool_destroy(session->pool);
    free(session);
}

ExprPool *session_pool(const Session *session)
{
    return session->pool;
}

/* The values of inputs have changed. */
static void note_change(Session *session)
{
    session->changed = true;
    session->evaluates_inputs = false;
}

/* ---- Executions -------------------------------------------------------------------- */

static void empty_pool(Session *session)
{
    session_path_reset(session);
    expr_reset(session->pool, session->start);
    transfer_reset(&session->to_archive);
    transfer_reset(&session->from_archive);
}

static void start_execution(Session *session)
{
    if (expr_count(session->pool) > session->pool_limit)
        empty_pool(session);
    session->execution++;
    session->met.count = 0;
    map_reset(&session->given);
    session->values.count = 0;
}

/* Takes the values of the inputs that the path constrains. */
static void take_inputs(Session *session, const Assignment *assignment)
{
    const PathCond *path = session->path;
    assignment_reset(&session->inputs);
    for (uint32_t i = 0; i < pathcond_count(path); i++) {
        const InputSet *inputs = support_of(session->support, pathcond_get(path, i));
        for (uint32_t j = 0; j < inputs->count; j++)
            assignment_set(&session->inputs, inputs->inputs[j], assignment_get(assignment, inputs->inputs[j]));
    }
    session->held = session->literals.count;
    note_change(session);
}

SolverResult session_begin(Session *session, const Literal *literals, uint32_t count)
{
    Assignment assignment = {0};
    start_execution(session);
    session_path_set(session, literals, count);
    SolverResult result = session_path_solve(session, &assignment);
    if (result == SOLVER_SAT)
        take_inputs(session, &assignment);
    else /* it was found feasible before, but now the plan cannot be run */
        archive_count_unknown(session->archive);
    assignment_release(&assignment);
    return result;
}

static uint64_t value_key(const char *name, uint32_t number)
{
    return hash_mix(hash_text(name), number) >> 1; /* never MAP_NO_KEY */
}

void session_begin_with(Session *session, const InputValue *values, uint32_t count)
{
    start_execution(session);
    assignment_reset(&session->inputs);
    session->held = 0;
    note_change(session);
    for (uint32_t i = 0; i < count; i++) {
        *map_insert(&session->given, value_key(values[i].name, values[i].number), NULL) = session->values.count;
        VEC_PUSH(&session->values, values[i].value);
    }
}

void session_begin_like(Session *session, const Session *other)
{
    VEC(InputValue) values = {0};
    for (uint32_t i = 0; i < other->pool->inputs->count; i++) {
        const Input *input = input_get(other->pool->inputs, (InputId){i});
        if (assignment_defines(&other->inputs, (InputId){i}))
            VEC_PUSH(&values, ((InputValue){input->name, input->number, assignment_get(&other->inputs, (InputId){i})}));
    }
    session_begin_with(session, values.items, values.count);
    VEC_FREE(&values);
}

/* ---- Inputs ---------------------------------------------------------------------------- */

static void meet(Session *session, InputId input)
{
    while (session->met_in.count <= input.index)
        VEC_PUSH(&session->met_in, 0);
    if (session->met_in.items[input.index] == session->execution)
        return;
    session->stats->inputs += session->met.count == 0;
    session->met_in.items[input.index] = session->execution;
    VEC_PUSH(&session->met, input);
}

/* The value of an input that the literals do not constrain. */
static Bits free_value(const Session *session, const InputSpec *spec, Bits first)
{
    const uint64_t *given = map_find(&session->given, value_key(spec->name, spec->number));
    Bits value = bits_cut(given ? session->values.items[*given] : first, spec->sort);
    return input_range_contains(&spec->range, spec->sort, value) ? value : spec->range.low;
}

ExprId session_input(Session *session, const InputSpec *spec, Bits first, Bits *value)
{
    InputId input = input_make_limited(session->pool->inputs, spec->name, spec->number, spec->sort, &spec->range);
    if (!assignment_defines(&session->inputs, input)) {
        assignment_set(&session->inputs, input, free_value(session, spec, first));
        note_change(session);
    }
    meet(session, input);
    *value = assignment_get(&session->inputs, input);
    return expr_input(session->pool, input);
}

uint32_t session_input_count(const Session *session)
{
    return session->met.count;
}

const Input *session_get_input(const Session *session, uint32_t i, Bits *value)
{
    InputId input = session->met.items[i];
    *value = assignment_get(&session->inputs, input);
    return input_get(session->pool->inputs, input);
}

bool session_evaluate(Session *session, ExprId e, Bits *value)
{
    if (!session->evaluates_inputs)
        evaluator_use(session->evaluator, &session->inputs);
    session->evaluates_inputs = true;
    return evaluator_get(session->evaluator, e, value);
}

/* ---- Conditions ------------------------------------------------------------------------ */

uint32_t session_condition(Session *session, ExprId condition)
{
    if (expr_is_const(session->pool, condition, NULL))
        return 0;
    uint32_t number = archive_put(session->archive, session->pool, condition, &session->to_archive);
    session->full |= number == 0;
    return number;
}

uint32_t session_assumption(Session *session, ExprId condition)
{
    uint32_t number = session_condition(session, condition);
    return number ? number | ARCHIVE_ASSUMPTION : 0;
}

bool session_is_full(const Session *session)
{
    return session->full;
}
