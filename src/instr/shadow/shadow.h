/* shadow.h - shadow values: code that computes expressions beside values
 *
 * Beside each integer or pointer that may depend on the inputs the instrumented function
 * computes its shadow, the number of an expression (rt/abi/shadow_hooks.h), 0 for a value that
 * does not depend on them. A value of a structure type has a shadow per scalar in it.
 * Whether a value can have a shadow at all is found out first (shadow_flow.c), so that loop
 * counters and the like cost nothing.
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
    Map first;              /* value -> 1 + place of its first part in `parts`       */
    ValueList parts;        /* shadows, i32                                          */
    ValueList phis;         /* phis whose shadows still lack their incoming values   */
    LLVMValueRef checked;   /* the hook at which the address of the next access was settled, */
    LLVMValueRef left;      /* and the shadow that the address still has                     */
    LLVMValueRef rest;      /* variable that keeps the shadows of variable arguments, or NULL */
} Shadow;

/* ---- Types (shadow_flow.c) ------------------------------------------------- */

/* Number of scalars that are tracked in a value of this type; 0 if none is. */
unsigned shadow_part_count(LLVMTypeRef type);
/* Bits of a tracked scalar; 64 for a pointer, 0 for anything else. */
unsigned shadow_width(LLVMTypeRef type);
/* The place among the parts of `type` of the member that these indices lead to. */
unsigned shadow_part_at(LLVMTypeRef type, const unsigned *indices, unsigned count);

/* Fills `maybe` for the function. */
void shadow_flow(Shadow *s);
bool shadow_maybe(const Shadow *s, LLVMValueRef value);
/* Does the function hand back a shadow with its result? */
bool shadow_returns(const Module *m, LLVMValueRef function);

/* ---- Functions that only their module calls (shadow_closed.c) --------------- */

/* Fills m->closed. Nothing that refers to functions may have been removed yet. */
void shadow_find_closed(Module *m);
/* Finds out which of their arguments and results may have shadows. */
void shadow_reach_closed(Module *m);
/* May the nth argument of the function, or its result, have one? Its type is another question. */
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
/* Calls a helper of this module that is inlined: `slow`, a function of the runtime, is
 * called if one of the arguments in `mask` is not 0; else the answer is 0. With `memory` >= 0
 * also if the map says that memory at that argument may have shadows; with SHADOW_OVERFLOW
 * if overflow is checked, and only then. `result` may be void. */
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

/* ---- Instructions: each computes the shadow of one, and what must be done beside it -- */

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
/* Vectors have no expressions: what becomes part of one is taken as it is. */
void shadow_unknown(Shadow *s, LLVMValueRef i);
void shadow_variable(Shadow *s, LLVMValueRef i);

/* Variable arguments: the caller stores their shadows, the callee keeps them and hands them
 * to its lists. */
void shadow_pass_rest(Shadow *s, LLVMValueRef call); /* shadow_rest.c */
void shadow_keep_rest(Shadow *s, LLVMValueRef mine);
void shadow_begin_list(Shadow *s, LLVMValueRef call);
/* The first variable argument that is not among them; the number of arguments if there is none. */
unsigned shadow_first_lost_rest(const Shadow *s, LLVMValueRef call);

/* True if `call` is an intrinsic, and was handled. */
bool shadow_intrinsic(Shadow *s, LLVMValueRef call, const char *name); /* shadow_intrinsic.c */

#endif
