/* shadow.h - shadow values: code that computes expressions beside values
 *
 * Beside each integer or pointer that may be symbolic the instrumented function computes its shadow, the number of an
 * expression (rt/abi/shadow_hooks.h), 0 for a concrete value. A value of a structure type has a shadow per scalar in
 * it. Which values can have a shadow at all is determined first (shadow_flow.h), so that loop counters and the like
 * cost nothing.
 */
#ifndef INSTR_SHADOW_SHADOW_H
#define INSTR_SHADOW_SHADOW_H

#include "instr/module/module.h"

enum { SHADOW_PARTS = 8, SHADOW_ARGUMENTS = 24 };

/* One function while its shadows are computed. */
typedef struct Shadow {
    Module *m;
    LLVMValueRef function;
    Map maybe;              /* values that may have a shadow                         */
    Map first;              /* value -> 1 + index of its first part in `parts`       */
    ValueList parts;        /* shadows, i32                                          */
    ValueList phis;         /* phis whose shadows still lack their incoming values   */
    LLVMValueRef checked;   /* the hook that checked the address of the next access,         */
    LLVMValueRef left;      /* and the shadow that the address then has                      */
    LLVMValueRef variadic;  /* variable with the shadows of variable arguments, or NULL      */
} Shadow;

/* The constant 0. */
LLVMValueRef shadow_none(const Shadow *s);
/* The shadow of the nth part of a value; the constant 0 if it cannot have one. */
LLVMValueRef shadow_of(Shadow *s, LLVMValueRef value, unsigned part);
void shadow_set(Shadow *s, LLVMValueRef value, unsigned part, LLVMValueRef shadow);
bool shadow_is_none(LLVMValueRef shadow);

#endif
