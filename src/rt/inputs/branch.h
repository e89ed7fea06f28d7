/* branch.h - decisions on symbolic conditions
 *
 * A decision is the outcome of a condition with a shadow: a branch of the program, or a question of the runtime such as
 * whether an address lies within its object. `holds` is always what this execution's inputs say.
 */
#ifndef RT_INPUTS_BRANCH_H
#define RT_INPUTS_BRANCH_H

#include "rt/inputs/tracking.h"

/* Decides the condition as a step of its own. Nothing happens if it is constant, if the running thread has decided it
 * before, or if its expression contradicts `holds` (counted as concretised). */
void branch_decide(ExprId condition, bool holds);
/* The same as part of the step that is being executed. */
void branch_decide_in_step(ExprId condition, bool holds);

/* Records that the running thread has decided the condition; answers whether it had before, with either outcome. */
bool branch_record(ExprId condition);
/* Does the expression have the value that the program computed? If uninstrumented code changed memory unnoticed, it
 * has not: the condition must not be decided then, which is counted. */
bool branch_agrees(ExprId condition, bool holds);
/* The step of a decision; `number` is the condition's number in the archive, 0 if that is full. */
void branch_take_step(uint32_t number, bool holds);

/* Explores every value that the expression can have between low and high, in multiples of `stride` from `concrete`,
 * until at most `window` values are left: from *low to *high. */
void branch_narrow(ExprId value, uint64_t concrete, uint64_t stride, uint64_t window, uint64_t *low, uint64_t *high);
/* Explores every value that the expression can have; in this execution it has the value `concrete` from now on. */
void branch_pin(ExprId value, Bits concrete);

#endif
