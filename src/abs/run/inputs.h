/* inputs.h - the inputs of a model and the decisions that depend on them
 *
 * `[Input] Int n = 1;` and random(n) are inputs: values with expressions beside them
 * (symbol.h). At the start of an execution they are solved so that the planned decisions come
 * out as planned (sym/session/session.h).
 */
#ifndef ABS_RUN_INPUTS_H
#define ABS_RUN_INPUTS_H

#include "abs/run/machine.h"
#include "sym/session/session.h"

typedef struct Inputs Inputs;

/* Before workers are forked. The options are borrowed. */
Inputs *inputs_create(const SessionOptions *options);
void inputs_destroy(Inputs *inputs);

/* Finds inputs for the plan of the next execution; false if there are none. */
bool inputs_solve(Machine *machine, const Execution *ex);
/* An execution begins, following its plan. The same, unless it was done. */
bool inputs_begin(Machine *machine);
/* Values for the executions from now on (copied), whatever their plans say; NULL: as planned. */
void inputs_fix(Inputs *inputs, const InputValue *values, uint32_t count);

ExprPool *inputs_pool(const Inputs *inputs);
Archive *inputs_archive(const Inputs *inputs);
/* NULL before the first execution with inputs. */
Session *inputs_session(const Inputs *inputs);

/* The inputs of the last execution in the order in which it asked for them; `each` gets a name
 * that input_fix_text reads back. */
void inputs_each(const Machine *machine, void (*each)(void *context, const char *name, const char *value),
                 void *context);
/* Fixes one more input: see inputs_fix. False if that is no value. */
bool inputs_fix_text(Inputs *inputs, const char *name, const char *value);

/* ---- For the running step ---- */

/* A variable of the main block or a method, with its first value (an Int or a Bool). */
Value inputs_declare(Machine *machine, const char *name, Value first);
/* A value below `bound`, which is at least 1. */
Value inputs_draw(Machine *machine, Value bound);
/* Notes how the inputs decided a condition. */
void inputs_decide(Machine *machine, ExprId condition, bool holds);
/* Inputs for which this does not hold are of no interest; if it does not hold now, the
 * execution means nothing (machine->refused). */
void inputs_require(Machine *machine, ExprId condition, bool holds);
/* Only inputs for which this holds, as it does now, are looked at; counted as pinned. */
void inputs_assume(Machine *machine, ExprId condition);
/* The same for the present value of an expression. */
void inputs_pin(Machine *machine, ExprId expr);

/* See ProgramOps.feasible. */
bool inputs_feasible(Machine *machine, const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends,
                     uint32_t clauses);

#endif
