/* scope.h - local variables as blocks of the heap (--check=scope)
 *
 * A local variable whose address others may get becomes a block of its thread's heap, which is freed
 * when the variable ends: whoever uses it later is seen, as is whoever goes beyond it.
 */
#ifndef INSTR_PASSES_SCOPE_H
#define INSTR_PASSES_SCOPE_H

#include "instr/module/module.h"

/* Where the builder stands: the block that takes the place of the variable, which is declared at the place
 * of the instruction `declared`. */
LLVMValueRef scope_build_block(Module *m, LLVMValueRef variable, LLVMValueRef declared);

/* Is it such a block? Its first argument is the size. */
bool scope_is_block(LLVMValueRef value);
/* Is it the room on the stack of an array of variable length that has become a block? */
bool scope_is_room(LLVMValueRef variable);

#endif
