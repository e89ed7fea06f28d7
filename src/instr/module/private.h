/* private.h - memory that only the running function can reach
 *
 * A local variable (or a parameter passed by value in memory) is private if its
 * address never leaves the function: it is only used to load and store, to index,
 * to compare, and in copies. Nobody else can race on it.
 */
#ifndef INSTR_MODULE_PRIVATE_H
#define INSTR_MODULE_PRIVATE_H

#include "base/map.h"
#include "instr/module/module.h"

/* Does the pointer lead to private memory or to a constant? `known` (may be NULL) remembers
 * answers for variables; a pass over one function can use it, since hooks are not added to
 * what is private. */
bool private_pointer(Map *known, LLVMValueRef pointer);

/* What the pointer was computed from by indices. */
LLVMValueRef private_root(LLVMValueRef pointer);

/* Does the pointer lead to a constant, which nobody writes? */
bool private_constant(LLVMValueRef pointer);

#endif
