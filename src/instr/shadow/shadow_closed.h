/* shadow_closed.h - closed functions: called only by their module
 *
 * All calls of a local function whose address is not taken are in this module. So it is known whether its arguments,
 * and with them its result, can ever be symbolic.
 */
#ifndef INSTR_SHADOW_SHADOW_CLOSED_H
#define INSTR_SHADOW_SHADOW_CLOSED_H

#include "instr/module/module.h"

/* Fills m->closed. No use of a function may have been removed before. */
void shadow_find_closed(Module *m);
/* Determines which of their arguments and results may have shadows. */
void shadow_reach_closed(Module *m);
/* May the nth argument of the function, or its result, have one? Regardless of its type; true unless closed. */
bool shadow_may_get(const Module *m, LLVMValueRef function, unsigned n);
bool shadow_may_return(const Module *m, LLVMValueRef function);

#endif
