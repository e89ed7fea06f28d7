/* pass_inline.c - inlines functions called in spin loops
 *
 * Programs wrap atomics in small functions: `while (!try_lock(&l));`. A spin loop is recognised only if the
 * function's body is in the loop. Inlining moves no access and changes no order; source places keep the name of their
 * function.
 */
#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/cfg.h"
#include "instr/module/effects.h"
#include "instr/passes/passes.h"

enum { MAX_LEVELS = 4, MAX_INSTRUCTIONS = 80 };

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool is_small(LLVMValueRef function)
{
    unsigned count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && count <= MAX_INSTRUCTIONS; i = LLVMGetNextInstruction(i))
            count++;
    return count <= MAX_INSTRUCTIONS;
}

/* Its body becomes an atomic section (pass_section.c). */
static bool is_section(LLVMValueRef function)
{
    return name_begins(module_name_of(function), "__VERIFIER_atomic_");
}

/* The loop may be quiet, so the function is too: no writes, no loops, bounded depth. */
static bool is_candidate(LLVMValueRef instruction, LLVMValueRef caller)
{
    if (!LLVMIsACallInst(instruction))
        return false;
    LLVMValueRef callee = callee_of(instruction);
    return callee && callee != caller && !LLVMIsDeclaration(callee) && !is_section(callee) && is_small(callee) &&
           LLVMGlobalGetValueType(callee) == LLVMGetCalledFunctionType(instruction);
}

static bool mark_calls(Module *m, LLVMValueRef function, const Cfg *cfg, const NaturalLoop *loop)
{
    bool marked = false;
    for (uint32_t b = 0; b < loop->blocks.count; b++) {
        LLVMBasicBlockRef block = cfg_block(cfg, loop->blocks.items[b]);
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (!is_candidate(i, function))
                continue;
            LLVMAttributeRef inlined = LLVMCreateEnumAttribute(m->context, attribute_kind("alwaysinline"), 0);
            LLVMAddCallSiteAttribute(i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, inlined);
            marked = true;
        }
    }
    return marked;
}

static bool mark_function(Module *m, LLVMValueRef function)
{
    Cfg *cfg = cfg_create(function);
    LoopList loops = cfg_loops(cfg);
    bool marked = false;
    for (uint32_t i = 0; i < loops.count; i++)
        if (effects_may_be_quiet(cfg, &loops.items[i]))
            marked |= mark_calls(m, function, cfg, &loops.items[i]);
    cfg_release_loops(&loops);
    cfg_destroy(cfg);
    return marked;
}

/* One pass per level of nested calls. */
bool pass_inline(Module *m, Error *error)
{
    for (unsigned level = 0; level < MAX_LEVELS; level++) {
        bool marked = false;
        for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
            if (!LLVMIsDeclaration(f))
                marked |= mark_function(m, f);
        if (!marked)
            break;
        if (!module_run_passes(m, "always-inline", error))
            return false;
    }
    return true;
}
