/* shadow_call.h - shadows of arguments and results
 *
 * They are passed in sennit_rt_shadow_call, together with the address of the function they are meant for. So after an
 * uninstrumented call, or in a thread's first function, shadows of another call are not mistaken for its own.
 */
#ifndef INSTR_SHADOW_SHADOW_CALL_H
#define INSTR_SHADOW_SHADOW_CALL_H

#include "instr/shadow/shadow.h"

/* At the start of the function: reads the shadows of its arguments. */
void shadow_entry(Shadow *s);
/* Passes the shadows of the arguments and reads that of the result; concretises what does not reach the callee. */
void shadow_call_site(Shadow *s, LLVMValueRef call);
void shadow_return(Shadow *s, LLVMValueRef i);
/* Does the function return a shadow with its result? */
bool shadow_returns(const Module *m, LLVMValueRef function);

#endif
