/* inputs.h - random(n) as an input of the model
 *
 * Each draw is a variable of its own: the nth of its task. Its value is found by
 * halving, so that a draw is a few decisions, each with a condition "the variable is
 * below t" that the engine can negate and combine.
 */
#ifndef ABS_INPUTS_H
#define ABS_INPUTS_H

#include "abs/machine.h"

typedef struct Inputs Inputs;

/* In memory that forked processes share. */
Inputs *inputs_create(void);
void inputs_destroy(Inputs *inputs);

/* A value below `bound` (at least 1) for the running task, as planned or, else, as the
 * picker likes, else 0; leaves its decisions in the newest event. */
uint32_t inputs_draw(Machine *machine, uint32_t bound);

/* See ProgramOps.feasible. */
bool inputs_feasible(const Inputs *inputs, const Literal *all, uint32_t count, const Literal *any,
                     const uint32_t *ends, uint32_t clauses);

#endif
