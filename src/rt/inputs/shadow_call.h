/* shadow_call.h - shadows of arguments and results, for modelled functions
 *
 * Caller and callee exchange shadows through sennit_rt_shadow_call; `function` is always the address of the function
 * that the shadows belong to (CALLEE).
 */
#ifndef RT_INPUTS_SHADOW_CALL_H
#define RT_INPUTS_SHADOW_CALL_H

#include <stdint.h>

#define CALLEE(function) ((const void *)(uintptr_t)(function))

/* The shadows of the first `count` arguments of the call; to be taken before anything else is called. */
void shadow_take_arguments(const void *function, uint32_t *shadows, unsigned count);
/* The shadow of the nth argument; 0 if nothing is tracked. The shadows of all others are lost. */
uint32_t shadow_argument(const void *function, unsigned n);
/* The shadow of the result; a result of 128 bits is returned in two registers. */
void shadow_give_result(const void *function, uint32_t shadow);
void shadow_give_wide_result(const void *function, uint32_t shadow);

/* Functions that keep a pointer for the program: the runtime's memory that holds it gets the shadow. */
void shadow_keep(void *const *kept, uint32_t shadow);
/* The next call is that of `function` with the pointer kept there as its argument. */
void shadow_pass(const void *function, void *const *kept);
/* The shadow of what `function`, which has just returned, answered. */
uint32_t shadow_result(const void *function);

/* The modelled function assumes its first argument, an int. */
void shadow_assume(const void *function, int condition);

#endif
