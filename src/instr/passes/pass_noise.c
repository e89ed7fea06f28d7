/* pass_noise.c - marks calls whose effects no hook and no step shows
 *
 * A thread that makes one is not in a loop that only waits (rt/spin/repeat.h). What is called through a pointer or
 * defined in another file is instrumented, and marks its own calls, if it lies in a section of such functions.
 */
#include <string.h>

#include "instr/module/asmtext.h"
#include "instr/module/callee.h"
#include "instr/module/effects.h"
#include "instr/module/redirect.h"
#include "instr/passes/passes.h"
#include "rt/abi/shadow_hooks.h"

/* Of functions with one version only. */
#define PLAIN_SECTION "sennit_plain_code"

typedef enum Noise { NOISE_NO, NOISE_YES, NOISE_IF_FOREIGN } Noise;

/* Of the hooks on a back edge one is selected (spin_block.c). */
static LLVMValueRef called_function(LLVMValueRef call)
{
    LLVMValueRef target = LLVMGetCalledValue(call);
    LLVMValueRef selected = LLVMIsASelectInst(target) ? LLVMIsAFunction(LLVMGetOperand(target, 1)) : NULL;
    return selected && name_begins(module_name_of(selected), "sennit_rt_spin_") ? selected : LLVMIsAFunction(target);
}

static Noise noise_of(LLVMValueRef call)
{
    LLVMValueRef target = LLVMGetCalledValue(call), callee = called_function(call);
    const char *name = callee ? module_name_of(callee) : "";
    if (LLVMIsAInlineAsm(target))
        return asmtext_is_harmless(target) ? NOISE_NO : NOISE_YES;
    if (!callee)
        return NOISE_IF_FOREIGN;
    if (!LLVMIsDeclaration(callee) || name_begins(name, "llvm.") || name_begins(name, "sennit_rt_") ||
        effects_is_quiet_call(call))
        return NOISE_NO;
    switch (redirect_class(name)) {
    case LIBRARY_PURE:
    case LIBRARY_INSTRUMENTED: return NOISE_NO;
    case LIBRARY_UNKNOWN: return name_begins(name, "sennit_") ? NOISE_YES : NOISE_IF_FOREIGN;
    default: return NOISE_YES;
    }
}

static LLVMValueRef global(Module *m, LLVMTypeRef type, const char *name, bool weak)
{
    LLVMValueRef found = LLVMGetNamedGlobal(m->llvm, name);
    if (found)
        return found;
    LLVMValueRef made = LLVMAddGlobal(m->llvm, type, name);
    LLVMSetLinkage(made, weak ? LLVMExternalWeakLinkage : LLVMExternalLinkage);
    LLVMSetVisibility(made, LLVMHiddenVisibility);
    return made;
}

static LLVMValueRef address(Module *m, LLVMValueRef pointer)
{
    return LLVMBuildPtrToInt(m->builder, pointer, m->i64, "");
}

static LLVMValueRef build_is_outside(Module *m, LLVMValueRef function, const char *start, const char *stop)
{
    LLVMValueRef begin = address(m, global(m, m->i8, start, true)), end = address(m, global(m, m->i8, stop, true));
    LLVMValueRef offset = LLVMBuildSub(m->builder, address(m, function), begin, "");
    return LLVMBuildICmp(m->builder, LLVMIntUGE, offset, LLVMBuildSub(m->builder, end, begin, ""), "");
}

/* Is the function outside the sections of instrumented functions? */
static LLVMValueRef build_is_foreign(Module *m, LLVMValueRef function)
{
    LLVMValueRef tracked = build_is_outside(m, function, "__start_" SENNIT_TRACKED_SECTION,
                                            "__stop_" SENNIT_TRACKED_SECTION);
    LLVMValueRef plain = build_is_outside(m, function, "__start_" PLAIN_SECTION, "__stop_" PLAIN_SECTION);
    return LLVMBuildZExt(m->builder, LLVMBuildAnd(m->builder, tracked, plain, ""), m->i8, "");
}

static void mark(Module *m, LLVMValueRef call, Noise noise)
{
    LLVMValueRef flag = global(m, m->i8, "sennit_rt_noise", false);
    LLVMPositionBuilderBefore(m->builder, call);
    LLVMValueRef value = LLVMConstInt(m->i8, 1, 0);
    if (noise == NOISE_IF_FOREIGN)
        value = LLVMBuildOr(m->builder, LLVMBuildLoad2(m->builder, m->i8, flag, ""),
                            build_is_foreign(m, LLVMGetCalledValue(call)), "");
    LLVMBuildStore(m->builder, value, flag);
}

/* A program that defines it may be linked without the runtime; no loop calls it. */
static bool is_entry_point(LLVMValueRef f) { return strcmp(module_name_of(f), "_start") == 0; }

void pass_noise(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        if (is_entry_point(f))
            continue;
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++) {
            Noise noise = LLVMIsACallInst(list.items[i]) ? noise_of(list.items[i]) : NOISE_NO;
            if (noise != NOISE_NO)
                mark(m, list.items[i], noise);
        }
        VEC_FREE(&list);
    }
}

void pass_place(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        const char *section = LLVMGetSection(f);
        if (!LLVMIsDeclaration(f) && (!section || !*section))
            LLVMSetSection(f, PLAIN_SECTION);
    }
}
