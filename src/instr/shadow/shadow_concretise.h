/* shadow_concretise.h - operands that must be concrete
 *
 * Where the runtime needs a concrete value, each value is explored separately. Code without shadows (uninstrumented
 * functions, assembly, vectors) gets concretised values, which the verdict says.
 */
#ifndef INSTR_SHADOW_SHADOW_CONCRETISE_H
#define INSTR_SHADOW_SHADOW_CONCRETISE_H

#include "instr/shadow/shadow.h"

/* Vectors have no expressions: concretises their elements. */
void shadow_concretise(Shadow *s, LLVMValueRef i);
/* The operands of inline assembly, and the memory behind them. */
void shadow_concretise_assembly(Shadow *s, LLVMValueRef call);
/* The target of the call, the arguments that the runtime needs to be concrete, and those whose shadows do not reach the
 * callee. `callee` is NULL for a call through a pointer. */
void shadow_concretise_call(Shadow *s, LLVMValueRef call, LLVMValueRef callee);

#endif
