/* shadow.h - shadow values: code that computes expressions beside values
 *
 * Beside each integer or pointer that may be symbolic the instrumented function computes its shadow, the number of an
 * expression (rt/abi/shadow_hooks.h), 0 for a concrete value. A value of a structure type has a shadow per scalar in
 * it. Which values can have a shadow at all is determined first (shadow_flow.c), so that loop counters and the like
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
    LLVMValueRef variadic;      /* variable with the shadows of variable arguments, or NULL */
} Shadow;

/* ---- Types (shadow_flow.c) ------------------------------------------------- */

/* The number of tracked scalars in a value of this type. */
unsigned shadow_part_count(LLVMTypeRef type);
/* The bits of a tracked scalar; 64 for a pointer, 0 for anything else. */
unsigned shadow_width(LLVMTypeRef type);
/* The index, among the parts of `type`, of the member that these indices select. */
unsigned shadow_part_at(LLVMTypeRef type, const unsigned *indices, unsigned count);

/* Fills `maybe` for the function. */
void shadow_flow(Shadow *s);
bool shadow_maybe(const Shadow *s, LLVMValueRef value);
/* Does the function return a shadow with its result? */
bool shadow_returns(const Module *m, LLVMValueRef function);

/* ---- Closed functions: called only by their module (shadow_closed.c) --------------- */

/* Fills m->closed. No use of a function may have been removed before. */
void shadow_find_closed(Module *m);
/* Determines which of their arguments and results may have shadows. */
void shadow_reach_closed(Module *m);
/* May the nth argument of the function, or its result, have one? Regardless of its type. */
bool shadow_may_get(const Module *m, LLVMValueRef function, unsigned n);
bool shadow_may_return(const Module *m, LLVMValueRef function);

/* ---- Shadows (pass_shadow.c) -------------------------------------------------- */

LLVMValueRef shadow_none(const Shadow *s);
/* The shadow of the nth part of a value; the constant 0 if it cannot have one. */
LLVMValueRef shadow_of(Shadow *s, LLVMValueRef value, unsigned part);
void shadow_set(Shadow *s, LLVMValueRef value, unsigned part, LLVMValueRef shadow);
bool shadow_is_none(LLVMValueRef shadow);

/* ---- Code (shadow_code.c) -------------------------------------------------------- */

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

/* ---- Instructions: each function adds the code for the shadow of one instruction -- */

void shadow_arithmetic(Shadow *s, LLVMValueRef i);   /* shadow_value.c */
void shadow_compare(Shadow *s, LLVMValueRef i);
void shadow_cast(Shadow *s, LLVMValueRef i);
void shadow_select(Shadow *s, LLVMValueRef i);
void shadow_phi(Shadow *s, LLVMValueRef i);
void shadow_complete_phis(Shadow *s);
void shadow_address(Shadow *s, LLVMValueRef i);
void shadow_member(Shadow *s, LLVMValueRef i);
void shadow_float(Shadow *s, LLVMValueRef i);
void shadow_branch(Shadow *s, LLVMValueRef i);
void shadow_switch(Shadow *s, LLVMValueRef i);
void shadow_goto(Shadow *s, LLVMValueRef i);

void shadow_load(Shadow *s, LLVMValueRef i);         /* shadow_memory.c */
void shadow_store(Shadow *s, LLVMValueRef i);
/* True if `call` is a hook of plain memory, an atomic one or a copy, and was handled. */
bool shadow_memory_call(Shadow *s, LLVMValueRef call, const char *name);

void shadow_entry(Shadow *s);                        /* shadow_call.c */
void shadow_call_site(Shadow *s, LLVMValueRef call);
void shadow_return(Shadow *s, LLVMValueRef i);
/* Vectors have no expressions: their elements are concretised. */
void shadow_concretise(Shadow *s, LLVMValueRef i);
void shadow_variable(Shadow *s, LLVMValueRef i);

/* Variable arguments: the caller stores their shadows, the callee keeps them and copies them to each va_list. */
void shadow_pass_variadic(Shadow *s, LLVMValueRef call); /* shadow_variadic.c */
void shadow_keep_variadic(Shadow *s, LLVMValueRef mine);
void shadow_begin_list(Shadow *s, LLVMValueRef call);
/* The first variable argument whose shadow is not passed; the number of arguments if all are. */
unsigned shadow_first_lost_variadic(const Shadow *s, LLVMValueRef call);

/* True if `call` is an intrinsic, and was handled. */
bool shadow_intrinsic(Shadow *s, LLVMValueRef call, const char *name); /* shadow_intrinsic.c */

#endif
