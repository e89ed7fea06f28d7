/* shadow_intrinsic.h - shadows of the results of intrinsics */
#ifndef INSTR_SHADOW_SHADOW_INTRINSIC_H
#define INSTR_SHADOW_SHADOW_INTRINSIC_H

#include "instr/shadow/shadow.h"

/* True if `call` is an intrinsic, and was handled. */
bool shadow_intrinsic(Shadow *s, LLVMValueRef call, const char *name);

#endif
