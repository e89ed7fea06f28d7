/* inputs.h - the symbolic inputs of a model and the decisions on them
 *
 * `[Input] Int n = 1;` and random(n) are symbolic inputs: values with expressions beside them (symbol.h). At the start
 * of an execution an assignment is solved for, under which the planned decisions have the planned outcomes
 * (sym/session/session.h).
 */
#ifndef ABS_RUN_INPUTS_H
#define ABS_RUN_INPUTS_H

#include "abs/run/machine.h"
#include "sym/session/session.h"

typedef struct Inputs Inputs;

/* Call it before workers are forked. The options are borrowed. */
Inputs *inputs_create(const SessionOptions *options);
void inputs_destroy(Inputs *inputs);

/* Finds an assignment for the plan of the next execution; false if there is none. */
bool inputs_solve(Machine *machine, const Execution *ex);
/* Begins an execution along its plan; solves as inputs_solve does, unless that was done. */
bool inputs_begin(Machine *machine);
/* Fixes inputs of the following executions (copied), overriding their plans; NULL: as planned. */
void inputs_fix(Inputs *inputs, const InputValue *values, uint32_t count);

/* Of this process: where expressions of symbolic values are. Shared by all processes: conditions and statistics. */
ExprPool *inputs_pool(const Inputs *inputs);
Archive *inputs_archive(const Inputs *inputs);
/* NULL before the first execution with inputs. */
Session *inputs_session(const Inputs *inputs);

/* The inputs of the last execution in the order in which it asked for them; `each` gets a name that inputs_fix_text
 * accepts. */
void inputs_each(const Machine *machine, void (*each)(void *context, const char *name, const char *value),
                 void *context);
/* Fixes one more input: see inputs_fix. False if the text is no value. */
bool inputs_fix_text(Inputs *inputs, const char *name, const char *value);

/* ---- For the running step ---- */

/* The input of a variable of the main block or a method, with its initial value. */
Value inputs_declare(Machine *machine, const InputCode *input, Value first);
/* The result of a query. It is a function as others are: the same for the same arguments. */
Value inputs_query(Machine *machine, const InputCode *input, const Value *args, uint32_t count);
/* An input with a name of its own (InputSpec.name), asked for once or more: its expression and value. */
ExprId inputs_ask(Machine *machine, const InputSpec *spec, Bits first, Bits *value);
/* What the value of the input that was asked for under this name stands for; printed beside it. */
void inputs_explain(Machine *machine, const char *name, const char *label);
/* An input from 0 to bound - 1; `bound` is at least 1. */
Value inputs_draw(Machine *machine, Value bound);
/* Records a decision: whether a condition on inputs holds in this execution. */
void inputs_decide(Machine *machine, ExprId condition, bool holds);
/* Excludes inputs for which the condition does not hold; if it does not hold now, the execution is void
 * (machine->refused). */
void inputs_require(Machine *machine, ExprId condition, bool holds);
/* Restricts the exploration to inputs for which the condition holds, as it does now; counted as concretised. */
void inputs_assume(Machine *machine, ExprId condition);
/* Concretises an expression: the same for the condition that it equals its current value. */
void inputs_concretise(Machine *machine, ExprId expr);

/* See ProgramOps.feasible. */
bool inputs_feasible(Machine *machine, const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends,
                     uint32_t clauses);

#endif
