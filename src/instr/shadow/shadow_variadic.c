/* shadow_variadic.c - see shadow_variadic.h */
#include "instr/shadow/shadow_variadic.h"

#include <stddef.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/shadow/shadow_code.h"
#include "instr/shadow/shadow_flow.h"
#include "rt/abi/shadow_hooks.h"

/* ---- Places ------------------------------------------------------------------------------ */

enum { NOWHERE = -1, WORD = 8 };

/* The registers and stack bytes used by the arguments so far. */
typedef struct VarargLayout {
    unsigned general, floating;
    uint64_t stack;     /* bytes                    */
    uint64_t named;     /* before the first variable argument */
} VarargLayout;

static int take_stack(VarargLayout *layout, uint64_t size, uint64_t alignment)
{
    uint64_t at = (layout->stack + alignment - 1) / alignment * alignment;
    layout->stack = at + (size + WORD - 1) / WORD * WORD;
    uint64_t word = (at - layout->named) / WORD;
    return word < SENNIT_SHADOW_WORDS ? SENNIT_SHADOW_REGISTERS + (int)word : NOWHERE;
}

static int take_general(VarargLayout *layout, unsigned width)
{
    unsigned count = width > 64 ? 2 : 1, first = layout->general;
    if (first + count > SENNIT_SHADOW_REGISTERS)
        return take_stack(layout, count * WORD, count * WORD);
    layout->general += count;
    return (int)first;
}

static LLVMTypeRef passed_in_memory(LLVMValueRef call, unsigned n)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, n + 1, kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static uint64_t alignment_of(LLVMValueRef call, unsigned n)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, n + 1, kind);
    uint64_t alignment = attribute ? LLVMGetEnumAttributeValue(attribute) : WORD;
    return alignment > WORD ? alignment : WORD;
}

/* The place of the next argument: a register, or SENNIT_SHADOW_REGISTERS + a word. */
static int take_place(const Shadow *s, LLVMValueRef call, unsigned n, VarargLayout *layout)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, n)), memory = passed_in_memory(call, n);
    if (memory)
        return take_stack(layout, LLVMABISizeOfType(s->m->layout, memory), alignment_of(call, n));
    if (shadow_width(type))
        return take_general(layout, shadow_width(type));
    if (LLVMGetTypeKind(type) == LLVMX86_FP80TypeKind)
        return take_stack(layout, 16, 16);
    return layout->floating++ < 8 ? NOWHERE : take_stack(layout, WORD, WORD);
}

static bool is_supported(const Shadow *s)
{
    return name_begins(LLVMGetTarget(s->m->llvm), "x86_64");
}

/* ---- The caller ---------------------------------------------------------------------------- */

/* Functions of the runtime get no shadows of variable arguments. */
bool shadow_has_variadic(LLVMValueRef call, LLVMValueRef callee)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    bool runtime = callee && LLVMIsDeclaration(callee) && name_begins(module_name_of(callee), "sennit_rt_");
    return LLVMIsFunctionVarArg(type) && LLVMGetNumArgOperands(call) > LLVMCountParamTypes(type) && !runtime;
}

static LLVMValueRef rest_field(Shadow *s, size_t offset)
{
    return shadow_field(s, (unsigned)(offsetof(SennitShadowCall, rest) + offset));
}

static void store_at(Shadow *s, int place, LLVMValueRef shadow)
{
    size_t offset =
        place < SENNIT_SHADOW_REGISTERS
            ? offsetof(SennitShadowRest, registers) + (size_t)place * sizeof(uint32_t)
            : offsetof(SennitShadowRest, words) + (size_t)(place - SENNIT_SHADOW_REGISTERS) * sizeof(uint32_t);
    LLVMBuildStore(s->m->builder, shadow, rest_field(s, offset));
}

/* A structure in memory, word by word. */
static void store_structure(Shadow *s, LLVMValueRef pointer, LLVMTypeRef type, int place)
{
    Module *m = s->m;
    uint64_t size = LLVMABISizeOfType(m->layout, type);
    for (uint64_t at = 0; at < size && place < SENNIT_SHADOW_REGISTERS + SENNIT_SHADOW_WORDS; at += WORD, place++) {
        LLVMValueRef offset = module_i64(m, at), from = LLVMBuildGEP2(m->builder, m->i8, pointer, &offset, 1, "");
        LLVMValueRef args[] = {from, shadow_none(s), module_i32(m, 8 * (size - at < WORD ? size - at : WORD))};
        store_at(s, place, shadow_call(s, &(ShadowHelper){"load", m->i32, 1 << 1, 0}, args, 3));
    }
}

void shadow_pass_variadic(Shadow *s, LLVMValueRef call)
{
    unsigned named = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    VarargLayout layout = {0};
    for (int place = 0; place < SENNIT_SHADOW_REGISTERS; place++)
        store_at(s, place, shadow_none(s));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (i == named)
            layout.named = layout.stack;
        int place = take_place(s, call, i, &layout);
        if (i < named || place == NOWHERE)
            continue;
        if (passed_in_memory(call, i))
            store_structure(s, argument, passed_in_memory(call, i), place);
        else
            store_at(s, place, shadow_width(LLVMTypeOf(argument)) ? shadow_of(s, argument, 0) : shadow_none(s));
    }
    uint64_t words = (layout.stack - layout.named) / WORD;
    LLVMValueRef count = module_i32(s->m, words < SENNIT_SHADOW_WORDS ? words : SENNIT_SHADOW_WORDS);
    LLVMBuildStore(s->m->builder, count, rest_field(s, offsetof(SennitShadowRest, count)));
}

unsigned shadow_first_lost_variadic(const Shadow *s, LLVMValueRef call)
{
    unsigned named = LLVMCountParamTypes(LLVMGetCalledFunctionType(call)), count = LLVMGetNumArgOperands(call);
    VarargLayout layout = {0};
    for (unsigned i = 0; i < count; i++) {
        if (i == named)
            layout.named = layout.stack;
        int place = take_place(s, call, i, &layout);
        bool lost = !is_supported(s) || (place == NOWHERE && shadow_width(LLVMTypeOf(LLVMGetOperand(call, i))));
        if (i >= named && lost)
            return i;
    }
    return count;
}

/* ---- The callee ----------------------------------------------------------------------------- */

/* A variable in the entry block of the function. */
static LLVMValueRef make_variable(Shadow *s)
{
    Module *m = s->m;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(m->builder);
    LLVMBuilderRef kept = m->builder;
    m->builder = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(here));
    LLVMValueRef variable =
        LLVMBuildAlloca(m->builder, LLVMArrayType2(m->i32, sizeof(SennitShadowRest) / sizeof(uint32_t)), "");
    LLVMDisposeBuilder(m->builder);
    m->builder = kept;
    return variable;
}

void shadow_keep_variadic(Shadow *s, LLVMValueRef mine)
{
    Module *m = s->m;
    if (!LLVMIsFunctionVarArg(LLVMGlobalGetValueType(s->function)) || !is_supported(s))
        return;
    s->variadic = make_variable(s);
    LLVMValueRef args[] = {s->variadic, LLVMBuildZExt(m->builder, mine, m->i32, "")};
    hook_call(m, m->void_type, "shadow_rest", args, 2);
}

void shadow_begin_list(Shadow *s, LLVMValueRef call)
{
    Module *m = s->m;
    if (!s->variadic)
        return;
    LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(call));
    LLVMValueRef args[] = {LLVMGetOperand(call, 0), s->variadic};
    hook_call(m, m->void_type, "shadow_va_start", args, 2);
}
