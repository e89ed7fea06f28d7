/* atomic_symbolic.h - atomic operations of tracked code: parts that waits use too */
#ifndef RT_INPUTS_ATOMIC_SYMBOLIC_H
#define RT_INPUTS_ATOMIC_SYMBOLIC_H

#include "rt/inputs/tracking.h"
#include "rt/memory/word.h"

/* The expression of a word with this shadow; if that is 0, the constant `value`. */
ExprId atomic_expr(uint32_t shadow, uint32_t size, uint64_t value);
/* The step stores the value in the word, and its shadow. */
void atomic_store_in_step(Word word, uint64_t value, uint32_t shadow);
/* Completes the step's access, and records the operation for the race detector. */
void atomic_finish(Word word, Mode mode, uint64_t before, uint64_t after, uint32_t order);
/* The shadow that a read-modify-write leaves; 0 also for floating point, whose operands the caller
 * concretises. */
uint32_t atomic_update_shadow(uint32_t op, uint32_t s_old, uint64_t old, uint32_t s_value, uint64_t value,
                              uint32_t size);

#endif
