/* shadow_variadic.h - shadows of variable arguments
 *
 * va_arg reads them from the register save area of the function and from the stack of its caller (System V, x86-64).
 * The caller knows from the types which argument is where, and stores the shadows by place. The callee keeps them in
 * its frame; va_start writes them to the memory that the va_list refers to, where the loads of va_arg find them.
 */
#ifndef INSTR_SHADOW_SHADOW_VARIADIC_H
#define INSTR_SHADOW_SHADOW_VARIADIC_H

#include "instr/shadow/shadow.h"

/* Does the call pass variable arguments to code that may read their shadows? */
bool shadow_has_variadic(LLVMValueRef call, LLVMValueRef callee);
/* The caller stores their shadows. */
void shadow_pass_variadic(Shadow *s, LLVMValueRef call);
/* The first variable argument whose shadow is not passed; the number of arguments if all are. */
unsigned shadow_first_lost_variadic(const Shadow *s, LLVMValueRef call);
/* The callee keeps them, if `mine` says that they are meant for it. */
void shadow_keep_variadic(Shadow *s, LLVMValueRef mine);
/* va_start: copies them to the memory of the va_list. */
void shadow_begin_list(Shadow *s, LLVMValueRef call);

#endif
