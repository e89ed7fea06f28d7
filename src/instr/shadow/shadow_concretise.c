/* shadow_concretise.c - see shadow_concretise.h */
#include "instr/shadow/shadow_concretise.h"

#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/shadow/shadow_code.h"
#include "instr/shadow/shadow_flow.h"
#include "instr/shadow/shadow_output.h"
#include "instr/shadow/shadow_variadic.h"
#include "rt/abi/modelled.h"

/* Arguments that the runtime only stores and later returns with their shadow. */
static bool runtime_keeps(const char *name, unsigned argument)
{
    static const struct {
        const char *name;
        unsigned argument;
    } kept[] = {{"pthread_create", 3}, {"thrd_create", 2},         {"pthread_exit", 0},
                {"thrd_exit", 0},      {"pthread_setspecific", 1}, {"tss_set", 1}};
    for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strcmp(name, kept[i].name) == 0)
            return argument == kept[i].argument;
    return false;
}

/* Each value is explored separately. */
static void decide_value(Shadow *s, LLVMValueRef value, LLVMValueRef call)
{
    Module *m = s->m;
    LLVMValueRef halves[2];
    unsigned width = shadow_width(LLVMTypeOf(value));
    if (!width || width > 64 || shadow_is_none(shadow_of(s, value, 0)))
        return;
    shadow_halves(s, value, halves);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    LLVMValueRef args[] = {shadow_of(s, value, 0), halves[0], module_i32(m, pointer), site_of(m, call)};
    shadow_call(s, &(ShadowHelper){"decide", m->void_type, 1, SHADOW_NO_MEMORY}, args, 4);
}

/* Each function that a symbolic pointer may call is explored separately. */
static void decide_target(Shadow *s, LLVMValueRef call)
{
    decide_value(s, LLVMGetCalledValue(call), call);
}

/* Concretises the memory behind the pointer. */
static void tell_reached(Shadow *s, LLVMValueRef call, LLVMValueRef pointer, const char *name)
{
    Module *m = s->m;
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind || LLVMIsNull(pointer))
        return;
    LLVMValueRef args[] = {pointer, site_of(m, call), module_string(m, name)};
    hook_call(m, m->void_type, "shadow_reach", args, 3);
}

/* Concretises the operand if it is symbolic; with `reaches` also the memory that it points to. */
static void concretise(Shadow *s, LLVMValueRef i, LLVMValueRef operand, const char *name, bool reaches)
{
    Module *m = s->m;
    LLVMValueRef halves[2];
    unsigned width = shadow_width(LLVMTypeOf(operand));
    if (width && !shadow_is_none(shadow_of(s, operand, 0))) {
        shadow_halves(s, operand, halves);
        LLVMValueRef args[] = {shadow_of(s, operand, 0), halves[0], module_i32(m, width), site_of(m, i),
                               module_string(m, name)};
        shadow_call(s, &(ShadowHelper){"foreign", m->void_type, 1, -1}, args, 5);
    }
    if (reaches)
        tell_reached(s, i, operand, name);
}

/* All other functions of the runtime need concrete arguments. */
static void decide_arguments(Shadow *s, LLVMValueRef call, LLVMValueRef callee)
{
    const char *name = callee ? module_name_of(callee) : "";
    if (!name_begins(name, "sennit_rt_") || !LLVMIsDeclaration(callee) ||
        (modelled_tracks(name + 10) && !shadow_output_is_measured(call, name + 10)))
        return;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef value = LLVMGetOperand(call, i);
        if (modelled_concretises(name + 10))
            concretise(s, call, value, name + 10, true);
        else if (!runtime_keeps(name + 10, i))
            decide_value(s, value, call);
    }
}

/* May the function be uninstrumented? Modelled functions handle shadows themselves. */
static bool may_be_foreign(LLVMValueRef callee)
{
    return callee && LLVMIsDeclaration(callee) && !name_begins(module_name_of(callee), "sennit_");
}

/* The first argument whose shadow does not reach the callee. For uninstrumented code it is the first one. */
static unsigned first_lost(Shadow *s, LLVMValueRef call, LLVMValueRef callee)
{
    if (may_be_foreign(callee))
        return 0;
    return shadow_has_variadic(call, callee) ? shadow_first_lost_variadic(s, call) : SHADOW_ARGUMENTS;
}

/* Whether a pointer leads to instrumented code is known only when it is called. */
static void tell_target(Shadow *s, LLVMValueRef call)
{
    Module *m = s->m;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef value = LLVMGetOperand(call, i), halves[2];
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind && !private_constant(value);
        if (!shadow_width(LLVMTypeOf(value)) || (!pointer && shadow_is_none(shadow_of(s, value, 0))))
            continue;
        shadow_halves(s, value, halves);
        LLVMValueRef args[] = {LLVMGetCalledValue(call), shadow_of(s, value, 0), halves[0],
                               pointer ? value : LLVMConstNull(m->ptr), site_of(m, call)};
        hook_call(m, m->void_type, "shadow_through", args, 5);
    }
}

/* What an uninstrumented function reads: its arguments, and the memory behind them. */
static void concretise_arguments(Shadow *s, LLVMValueRef call, LLVMValueRef callee)
{
    bool foreign = may_be_foreign(callee);
    const char *name = foreign ? module_name_of(callee) : "variable arguments";
    for (unsigned i = first_lost(s, call, callee); i < LLVMGetNumArgOperands(call); i++)
        concretise(s, call, LLVMGetOperand(call, i), name, foreign);
}

void shadow_concretise(Shadow *s, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        concretise(s, i, LLVMGetOperand(i, (unsigned)k), "a vector", false);
}

void shadow_concretise_assembly(Shadow *s, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        concretise(s, call, LLVMGetOperand(call, i), "inline assembly", true);
}

void shadow_concretise_call(Shadow *s, LLVMValueRef call, LLVMValueRef callee)
{
    decide_target(s, call);
    decide_arguments(s, call, callee);
    concretise_arguments(s, call, callee);
    if (!callee)
        tell_target(s, call);
}
