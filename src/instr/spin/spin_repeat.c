/* spin_repeat.c - see spin.h
 *
 * Whether iterations repeat is decided at run time, from the thread's frame and registers (rt/spin/repeat.h). A
 * parameter passed by value in memory is a private variable that lies in the caller's frame: such functions are left
 * alone.
 */
#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/edge.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/redirect.h"
#include "instr/module/site.h"
#include "instr/spin/spin.h"

enum { MAX_DEPTH = 3 };

static bool function_may_step(LLVMValueRef function, unsigned depth);

static bool call_may_step(LLVMValueRef call, unsigned depth)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)) || hook_is(call, ""))
        return hook_is(call, "atomic_") || hook_is(call, "spin_");
    if (!callee)
        return true;
    const char *name = module_name_of(callee);
    if (LLVMIsDeclaration(callee))
        return !name_begins(name, "llvm.") && !redirect_is_pure(name);
    return function_may_step(callee, depth + 1);
}

static bool may_step(LLVMValueRef i, unsigned depth)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic || LLVMGetVolatile(i)) &&
               !private_pointer(NULL, LLVMGetOperand(i, 0));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return true;
    case LLVMCall:
        return call_may_step(i, depth);
    default:
        return false;
    }
}

static bool function_may_step(LLVMValueRef function, unsigned depth)
{
    ValueList list = module_instructions(function);
    bool found = depth > MAX_DEPTH;
    for (uint32_t i = 0; i < list.count && !found; i++)
        found = may_step(list.items[i], depth);
    VEC_FREE(&list);
    return found;
}

static bool loop_may_step(const SpinLoop *spin)
{
    for (uint32_t b = 0; b < spin->loop->blocks.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg_block(spin->cfg, spin->loop->blocks.items[b])); i;
             i = LLVMGetNextInstruction(i))
            if (may_step(i, 0))
                return true;
    return false;
}

/* ---- Loops that count ------------------------------------------------ */

enum { MIN_COUNTER_BITS = 32 }; /* smaller ones may come to their first value again */

/* Is it the phi plus a constant? */
static bool is_next(LLVMValueRef value, LLVMValueRef phi)
{
    if (!LLVMIsAInstruction(value) || LLVMGetNumOperands(value) != 2 || LLVMGetOperand(value, 0) != phi)
        return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    LLVMValueRef step = LLVMIsAConstantInt(LLVMGetOperand(value, 1));
    return (opcode == LLVMAdd || opcode == LLVMGetElementPtr) && step && !LLVMIsNull(step);
}

/* Does a branch depend on it? Then it is not removed. */
static bool decides(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (LLVMIsAICmpInst(LLVMGetUser(use)))
            for (LLVMUseRef in = LLVMGetFirstUse(LLVMGetUser(use)); in; in = LLVMGetNextUse(in))
                if (LLVMIsABranchInst(LLVMGetUser(in)))
                    return true;
    return false;
}

static bool is_counter(const SpinLoop *spin, LLVMValueRef phi)
{
    LLVMTypeRef type = LLVMTypeOf(phi);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind != LLVMPointerTypeKind &&
        (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) < MIN_COUNTER_BITS))
        return false;
    const BlockList *latches = &spin->loop->latches;
    bool used = decides(phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        for (uint32_t k = 0; k < latches->count; k++)
            if (LLVMGetIncomingBlock(phi, i) == cfg_block(spin->cfg, latches->items[k])) {
                LLVMValueRef next = LLVMGetIncomingValue(phi, i);
                if (!is_next(next, phi))
                    return false;
                used |= decides(next);
            }
    return used;
}

/* for (i = 0; i < n; i++): no two back edges have the same state. */
static bool counts(const SpinLoop *spin)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(cfg_block(spin->cfg, spin->loop->header)); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        if (is_counter(spin, i))
            return true;
    return false;
}

/* ---- Loops that change something ------------------------------------- */

/* A library call whose effects are more than what it reads, always: pthread_cond_wait, printf. */
static bool is_loud(LLVMValueRef call)
{
    LLVMValueRef callee = callee_of(call);
    const char *name = callee ? module_name_of(callee) : "";
    if (!callee || !LLVMIsDeclaration(callee) || name_begins(name, "llvm.") || name_begins(name, "sennit_") ||
        effects_is_quiet_call(call))
        return false;
    LibraryClass class = redirect_class(name);
    return class != LIBRARY_PURE && class != LIBRARY_INSTRUMENTED && class != LIBRARY_UNKNOWN;
}

static bool block_is_loud(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && is_loud(i))
            return true;
    return false;
}

/* Is there such a call in each iteration that is followed by another one? */
static bool is_always_loud(const SpinLoop *spin)
{
    const BlockList *latches = &spin->loop->latches;
    bool found = latches->count > 0;
    for (uint32_t i = 0; i < latches->count; i++)
        found &= block_is_loud(cfg_block(spin->cfg, latches->items[i]));
    return found || block_is_loud(cfg_block(spin->cfg, spin->loop->header));
}

/* ---- All other loops ------------------------------------------------- */

static bool has_byval(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetEnumAttributeAtIndex(function, i + 1, kind))
            return true;
    return false;
}

bool spin_repeat_is_possible(const Module *m, LLVMValueRef function)
{
    return !m->flags.library && !has_byval(function);
}

static bool can_split(LLVMBasicBlockRef latch)
{
    LLVMOpcode end = LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(latch));
    return end == LLVMBr || end == LLVMSwitch;
}

bool spin_repeat(const SpinLoop *spin)
{
    Module *m = spin->module;
    LLVMBasicBlockRef header = cfg_block(spin->cfg, spin->loop->header);
    if (!spin_repeat_is_possible(m, LLVMGetBasicBlockParent(header)) || !loop_may_step(spin))
        return false;
    if (counts(spin) || is_always_loud(spin))
        return false; /* it never repeats */
    const BlockList *latches = &spin->loop->latches;
    LLVMValueRef site = NULL;
    for (uint32_t i = 0; i < latches->count; i++) {
        LLVMBasicBlockRef latch = cfg_block(spin->cfg, latches->items[i]);
        if (!can_split(latch))
            continue;
        if (!site) /* names the loop: one for all of its back edges */
            site = site_of(m, LLVMGetBasicBlockTerminator(latch));
        LLVMBasicBlockRef middle = edge_split(m, latch, header);
        LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(middle));
        hook_call(m, m->void_type, "spin_repeat", &site, 1);
    }
    return site != NULL;
}
