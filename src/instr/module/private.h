/* private.h - memory that only the running function can reach
 *
 * A local variable (or a parameter passed by value in memory) is private if its address never leaves the function: it
 * is only used to load and store, to index, to compare, and in copies. No other thread can access it.
 */
#ifndef INSTR_MODULE_PRIVATE_H
#define INSTR_MODULE_PRIVATE_H

#include "base/map.h"
#include "instr/module/module.h"

/* Does the pointer lead to private memory or to a constant? `known` (may be NULL) caches the answers for variables; a
 * pass over one function can use it, since hooks are not added for private memory. */
bool private_pointer(Map *known, LLVMValueRef pointer);

/* The pointer that this one was computed from by indexing. */
LLVMValueRef private_root(LLVMValueRef pointer);

/* Does the pointer lead to a constant? */
bool private_constant(LLVMValueRef pointer);

#endif
