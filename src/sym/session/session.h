/* session.h - symbolic inputs and conditions of programs under test: the interface for C and ABS programs
 *
 *   before workers are forked   archive = archive_create()
 *   in a worker, with the first input (or the first call of feasible)
 *                               session = session_create(archive, &options, &error)
 *   an execution starts         session_begin(session, literals of the plan, count)
 *     an input is read          x = session_input(session, &spec, first, &value)
 *     values are computed       expr_make(session_pool(session), ...) beside the concrete ones
 *     a branch on e             if (number = session_condition(session, e))
 *                                   execution_branch(ex, number, value ? 0 : 1)
 *     an assumption e           the same with session_assumption; an agent stops where it does not hold
 *   ProgramOps.feasible         session_feasible(session, all, count, any, ends, clauses)
 *
 * Expressions are valid until the next session_begin. Numbers of conditions are valid for
 * the whole run in all of its processes (archive.h).
 *
 * A session starts its solver process with the first query that the fast layers cannot answer. A query that stays
 * undecided (time limit, no solver) counts as "no" where it is about exploring a path, so that every plan can be
 * solved, and is counted: a run with unknown > 0 has not explored everything. Where it is about what was explored
 * already it counts as "perhaps".
 */
#ifndef SYM_SESSION_SESSION_H
#define SYM_SESSION_SESSION_H

#include "base/error.h"
#include "sym/expr/literal.h"
#include "sym/session/archive.h"

typedef struct Session Session;

typedef struct SessionOptions {
    const char *solver;   /* path of sennit-solver; NULL: what the fast layers cannot decide is unknown */
    uint32_t timeout_ms;  /* per query of the solver; 0: a default                               */
    const char *log_dir;  /* where queries that reach the solver are written; NULL: nowhere      */
    bool check;           /* evaluate every assignment again, ask the solver for a second opinion;
                             debug builds always do                                              */
    uint32_t pool_limit;  /* nodes after which the pool is emptied between executions; 0: a default */
    bool timing;          /* measure the time of each layer; that of the solver is always measured  */
    bool (*may_continue)(void *context); /* asked while the solver works on a query; if not, the query is unknown.
                             NULL: always                                                       */
    void *context;
} SessionOptions;

/* The archive is borrowed, the options are copied. NULL if the solver cannot be run. */
Session *session_create(Archive *archive, const SessionOptions *options, Error *error);
/* Ends the solver process. */
void session_destroy(Session *session);

/* Where expressions are made. */
ExprPool *session_pool(const Session *session);

/* ---- Executions --------------------------------------------------------------- */

/* Begins an execution whose inputs satisfy these literals; an input that they do not mention will have its first value.
 * Expressions of the last execution become invalid. Unless the answer is SOLVER_SAT, no value is set. */
SolverResult session_begin(Session *session, const Literal *literals, uint32_t count);

/* The value of an input in a trace or a test. */
typedef struct InputValue {
    const char *name;
    uint32_t number;
    Bits value;
} InputValue;

/* Begins an execution with given inputs; an input that is not in the list will have its first value. */
void session_begin_with(Session *session, const InputValue *values, uint32_t count);

/* Begins an execution with the inputs that `other` began with, e.g. the session of the process before a fork. Nothing
 * is solved. */
void session_begin_like(Session *session, const Session *other);

/* ---- Inputs ------------------------------------------------------------------------ */

/* The `number`-th input of this name; the number must be class-invariant (e.g. how often the agent has read an input
 * of this name, the agent being part of the name). The same name and number with another sort or range is another
 * input. */
typedef struct InputSpec {
    const char *name;
    uint32_t number;
    Sort sort;         /* SORT_BOOL, a width in bits, or SORT_INT */
    InputRange range;  /* {0}: all values of the sort */
} InputSpec;

/* The expression of an input, and its value in this execution: as solved or given at the beginning, else `first`, or
 * the lowest value of the range if `first` is not in it. */
ExprId session_input(Session *session, const InputSpec *spec, Bits first, Bits *value);

/* The inputs read in this execution, in that order. */
uint32_t session_input_count(const Session *session);
const Input *session_get_input(const Session *session, uint32_t i, Bits *value);

/* The value of an expression under the inputs of this execution. False if an integer leaves
 * 128 bits. */
bool session_evaluate(Session *session, ExprId e, Bits *value);

/* ---- Conditions -------------------------------------------------------------------- */

/* The number of a Boolean for Choice.condition; 0 if it is constant, so that there is nothing to decide, or if the
 * archive is full (then session_is_full holds, and the caller counts it). */
uint32_t session_condition(Session *session, ExprId condition);
/* The same for an assumption: inputs that violate it are of no interest. */
uint32_t session_assumption(Session *session, ExprId condition);
bool session_is_full(const Session *session);

/* ---- Queries -------------------------------------------------------------------------- */

/* See ProgramOps.feasible: whether there are inputs for which all literals hold and of each clause at least one does
 * not. Clause k is any[ends[k-1]..ends[k]). */
bool session_feasible(Session *session, const Literal *all, uint32_t count, const Literal *any,
                      const uint32_t *ends, uint32_t clauses);

#endif
