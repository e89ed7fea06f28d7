/* shadow_code.h - the code that computes shadows
 *
 * Nearly all values are concrete. So each call of the runtime is wrapped in a small function that tests for that first;
 * the optimiser inlines it.
 */
#ifndef INSTR_SHADOW_SHADOW_CODE_H
#define INSTR_SHADOW_SHADOW_CODE_H

#include "instr/shadow/shadow.h"

/* The value as two i64, low half first. Constants where possible. */
void shadow_halves(Shadow *s, LLVMValueRef value, LLVMValueRef halves[2]);
/* Calls a helper of this module that is inlined: it calls `slow`, a function of the runtime, if one of the arguments
 * in `mask` is not 0; otherwise the result is 0. With `memory` >= 0 also if the shadow map says that memory at that
 * argument may have shadows; with SHADOW_OVERFLOW if overflow is checked, and only then. `result` may be void. */
enum { SHADOW_NO_MEMORY = -1, SHADOW_OVERFLOW = -2 };
typedef struct ShadowHelper {
    const char *slow;
    LLVMTypeRef result;
    unsigned mask;
    int memory;
} ShadowHelper;
LLVMValueRef shadow_call(Shadow *s, const ShadowHelper *helper, LLVMValueRef *args, unsigned count);
/* A field of sennit_rt_shadow_call. */
LLVMValueRef shadow_field(Shadow *s, unsigned offset);

#endif
