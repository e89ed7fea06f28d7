/* scope.h - local variables as heap blocks (--check=scope)
 *
 * A local variable whose address escapes becomes a block of its thread's heap, which is freed when the variable's
 * lifetime ends: later accesses are detected, as are accesses out of bounds.
 */
#ifndef INSTR_PASSES_SCOPE_H
#define INSTR_PASSES_SCOPE_H

#include "instr/module/module.h"

/* Builds the block that replaces the variable, whose source place is that of the instruction `declared`. */
LLVMValueRef scope_build_block(Module *m, LLVMValueRef variable, LLVMValueRef declared);

/* Is it a call that allocates such a block? Its first argument is the size. */
bool scope_is_block(LLVMValueRef value);
/* Is it the stack memory of an array of variable length that has become a block? */
bool scope_is_room(LLVMValueRef variable);

#endif
