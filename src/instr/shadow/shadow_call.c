/* shadow_call.c - see shadow_call.h */
#include "instr/shadow/shadow_call.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/tracked.h"
#include "instr/shadow/shadow_closed.h"
#include "instr/shadow/shadow_code.h"
#include "instr/shadow/shadow_concretise.h"
#include "instr/shadow/shadow_flow.h"
#include "instr/shadow/shadow_output.h"
#include "instr/shadow/shadow_variadic.h"
#include "rt/abi/shadow_hooks.h"

static LLVMValueRef callee_field(Shadow *s) { return shadow_field(s, offsetof(SennitShadowCall, callee)); }
static LLVMValueRef returned_field(Shadow *s) { return shadow_field(s, offsetof(SennitShadowCall, returned)); }

static LLVMValueRef argument_field(Shadow *s, unsigned n)
{
    return shadow_field(s, (unsigned)(offsetof(SennitShadowCall, args) + n * sizeof(uint32_t)));
}

static LLVMValueRef result_field(Shadow *s, unsigned n)
{
    return shadow_field(s, (unsigned)(offsetof(SennitShadowCall, results) + n * sizeof(uint32_t)));
}

bool shadow_returns(const Module *m, LLVMValueRef function)
{
    return shadow_part_count(LLVMGetReturnType(LLVMGlobalGetValueType(function))) != 0 &&
           shadow_may_return(m, function);
}

/* ---- The callee ------------------------------------------------------------------------- */

/* A structure passed by value in memory was copied by the call: its shadows are copied from the original, whose
 * address is passed in place of a shadow. */
static LLVMTypeRef byval_type(LLVMValueRef function, unsigned n)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, n + 1, kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* Can a call of the function pass shadows? */
static bool gets_shadows(const Shadow *s)
{
    bool any = false;
    for (unsigned i = 0; i < LLVMCountParams(s->function) && i < SHADOW_ARGUMENTS && !any; i++)
        any = shadow_may_get(s->m, s->function, i);
    return any;
}

void shadow_entry(Shadow *s)
{
    Module *m = s->m;
    unsigned count = LLVMCountParams(s->function);
    if (!count || s->maybe.count == 0 || !gets_shadows(s))
        return;
    LLVMPositionBuilderBefore(m->builder, module_first_action(s->function));
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    LLVMValueRef callee = LLVMBuildLoad2(m->builder, m->ptr, callee_field(s), "");
    LLVMValueRef mine = LLVMBuildICmp(m->builder, LLVMIntEQ, callee, s->function, "");
    LLVMBuildStore(m->builder, LLVMConstNull(m->ptr), callee_field(s));
    shadow_keep_variadic(s, mine);
    for (unsigned i = 0; i < count && i < SHADOW_ARGUMENTS; i++) {
        LLVMValueRef parameter = LLVMGetParam(s->function, i);
        if (!shadow_maybe(s, parameter))
            continue;
        LLVMValueRef given = LLVMBuildLoad2(m->builder, m->i32, argument_field(s, i), "");
        LLVMValueRef shadow = LLVMBuildSelect(m->builder, mine, given, module_i32(m, 0), "");
        LLVMTypeRef type = byval_type(s->function, i);
        if (type) {
            LLVMValueRef args[] = {parameter, shadow, module_i64(m, LLVMABISizeOfType(m->layout, type))};
            hook_call(m, m->void_type, "shadow_byval", args, 3);
        } else {
            shadow_set(s, parameter, 0, shadow);
        }
    }
}

void shadow_return(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    unsigned count = shadow_part_count(LLVMGetReturnType(LLVMGlobalGetValueType(s->function)));
    if (!count || LLVMGetNumOperands(i) == 0 || !shadow_may_return(m, s->function))
        return;
    LLVMPositionBuilderBefore(m->builder, i);
    for (unsigned p = 0; p < count; p++)
        LLVMBuildStore(m->builder, shadow_of(s, LLVMGetOperand(i, 0), p), result_field(s, p));
    LLVMBuildStore(m->builder, s->function, returned_field(s));
}

/* ---- The caller --------------------------------------------------------------------------- */

static bool is_instrumented_here(LLVMValueRef callee)
{
    return callee && !LLVMIsDeclaration(callee);
}

static bool has_byval(LLVMValueRef call, unsigned n)
{
    return LLVMGetCallSiteEnumAttribute(call, n + 1, LLVMGetEnumAttributeKindForName("byval", 5)) != NULL;
}

static LLVMValueRef byval_token(Shadow *s, LLVMValueRef pointer)
{
    LLVMValueRef args[] = {pointer};
    return hook_call(s->m, s->m->i32, "shadow_byval_token", args, 1);
}

/* Stores the shadows of the arguments; answers whether there can be any. Those of variable arguments are always
 * stored: the callee must know which words of the stack they are. */
static bool pass_arguments(Shadow *s, LLVMValueRef call, LLVMValueRef callee)
{
    Module *m = s->m;
    bool any = shadow_has_variadic(call, callee);
    unsigned count = LLVMGetNumArgOperands(call);
    if (any)
        shadow_pass_variadic(s, call);
    for (unsigned i = 0; i < count && i < SHADOW_ARGUMENTS; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        any = any || has_byval(call, i) ||
              (shadow_width(LLVMTypeOf(argument)) && !shadow_is_none(shadow_of(s, argument, 0)));
    }
    for (unsigned i = 0; i < count && i < SHADOW_ARGUMENTS && any; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (shadow_width(LLVMTypeOf(argument)))
            LLVMBuildStore(m->builder, has_byval(call, i) ? byval_token(s, argument) : shadow_of(s, argument, 0),
                           argument_field(s, i));
    }
    return any;
}

static void take_result(Shadow *s, LLVMValueRef call, LLVMValueRef target)
{
    Module *m = s->m;
    unsigned count = shadow_part_count(LLVMTypeOf(call));
    if (!count || !shadow_maybe(s, call))
        return;
    LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(call));
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef returned = LLVMBuildLoad2(m->builder, m->ptr, returned_field(s), "");
    LLVMValueRef mine = LLVMBuildICmp(m->builder, LLVMIntEQ, returned, target, "");
    for (unsigned p = 0; p < count; p++) {
        LLVMValueRef given = LLVMBuildLoad2(m->builder, m->i32, result_field(s, p), "");
        shadow_set(s, call, p, LLVMBuildSelect(m->builder, mine, given, module_i32(m, 0), ""));
    }
}

/* ---- Calls ------------------------------------------------------------------------------------ */

/* The name without the runtime's prefix; NULL if it is not a library function. */
static const char *library_name(LLVMValueRef callee)
{
    const char *name = module_name_of(callee);
    if (!LLVMIsDeclaration(callee))
        return NULL;
    return name_begins(name, "sennit_rt_") ? name + 10 : name;
}

/* Redirects the call to the tracked version, if there is one. */
static LLVMValueRef retarget(Module *m, LLVMValueRef call, LLVMValueRef callee)
{
    const char *name = callee ? library_name(callee) : NULL;
    if (!name || !tracked_name(name) || (shadow_output_is_ignored(call, name)))
        return callee;
    LLVMValueRef target = tracked_declare(m, name, LLVMGetCalledFunctionType(call));
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, target);
    return target;
}

void shadow_call_site(Shadow *s, LLVMValueRef call)
{
    Module *m = s->m;
    LLVMValueRef target = LLVMGetCalledValue(call), callee = LLVMIsAFunction(target);
    LLVMPositionBuilderBefore(m->builder, call);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
    if (LLVMIsAInlineAsm(target)) {
        shadow_concretise_assembly(s, call);
        return;
    }
    const char *library = callee ? library_name(callee) : NULL;
    if (library)
        shadow_output_begin(s, call, library);
    callee = retarget(m, call, callee);
    target = LLVMGetCalledValue(call);
    shadow_concretise_call(s, call, callee);
    bool any = pass_arguments(s, call, callee);
    if (any || !is_instrumented_here(callee))
        LLVMBuildStore(m->builder, any ? target : LLVMConstNull(m->ptr), callee_field(s));
    take_result(s, call, target);
    if (library)
        shadow_output_end(s, call, library);
}
