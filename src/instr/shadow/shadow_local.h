/* shadow_local.h - shadows of local variables in memory */
#ifndef INSTR_SHADOW_SHADOW_LOCAL_H
#define INSTR_SHADOW_SHADOW_LOCAL_H

#include "instr/shadow/shadow.h"

/* The variable begins at this alloca: clears old shadows there, and makes its bounds known if a symbolic address may
 * point into it. */
void shadow_variable(Shadow *s, LLVMValueRef i);

#endif
