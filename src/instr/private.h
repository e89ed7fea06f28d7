/* private.h - memory that only the running function can reach
 *
 * A local variable (or a parameter passed by value in memory) is private if its
 * address never leaves the function: it is only used to load and store, to index,
 * to compare, and in copies. Nobody else can race on it.
 */
#ifndef INSTR_PRIVATE_H
#define INSTR_PRIVATE_H

#include "instr/module.h"

/* Does the pointer lead to private memory or to a constant? */
bool private_pointer(LLVMValueRef pointer);

/* Does the pointer lead to a constant, which nobody writes? */
bool private_constant(LLVMValueRef pointer);

#endif
