/* pass_shadow.c - tracks symbolic values
 *
 * Visits the instructions of a function in an order in which definitions precede uses (phis are completed at the
 * end), and adds to each the code for the shadow of its result.
 */
#include <stddef.h>

#include "instr/module/callee.h"
#include "instr/passes/passes.h"
#include "instr/shadow/shadow.h"
#include "instr/shadow/shadow_call.h"
#include "instr/shadow/shadow_closed.h"
#include "instr/shadow/shadow_concretise.h"
#include "instr/shadow/shadow_flow.h"
#include "instr/shadow/shadow_intrinsic.h"
#include "instr/shadow/shadow_local.h"
#include "instr/shadow/shadow_memory.h"
#include "instr/shadow/shadow_value.h"

/* ---- Instructions ----------------------------------------------------------------------- */

static void track_call(Shadow *s, LLVMValueRef call)
{
    const char *name = callee_name(call);
    if (!shadow_memory_call(s, call, name) && !shadow_intrinsic(s, call, name))
        shadow_call_site(s, call);
}

static void track(Shadow *s, LLVMValueRef i)
{
    LLVMPositionBuilderBefore(s->m->builder, i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
    case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
        shadow_arithmetic(s, i);
        break;
    case LLVMICmp: shadow_compare(s, i); break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMFreeze:
    case LLVMAddrSpaceCast: shadow_cast(s, i); break;
    case LLVMSIToFP: case LLVMUIToFP: case LLVMBitCast: shadow_float(s, i); break;
    case LLVMSelect: shadow_select(s, i); break;
    case LLVMPHI: shadow_phi(s, i); break;
    case LLVMGetElementPtr: shadow_address(s, i); break;
    case LLVMExtractValue: case LLVMInsertValue: shadow_member(s, i); break;
    case LLVMLoad: shadow_load(s, i); break;
    case LLVMStore: shadow_store(s, i); break;
    case LLVMCall: track_call(s, i); break;
    case LLVMBr: shadow_branch(s, i); break;
    case LLVMSwitch: shadow_switch(s, i); break;
    case LLVMIndirectBr: shadow_goto(s, i); break;
    case LLVMRet: shadow_return(s, i); break;
    case LLVMAlloca: shadow_variable(s, i); break;
    case LLVMInsertElement: case LLVMExtractElement: shadow_concretise(s, i); break;
    default: break;
    }
}

/* ---- Functions ------------------------------------------------------------------------------ */

static void visit_block(LLVMBasicBlockRef block, Map *seen, ValueList *order)
{
    bool added;
    map_insert(seen, map_key(block), &added);
    if (!added)
        return;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        visit_block(LLVMGetSuccessor(end, i), seen, order);
    VEC_PUSH(order, LLVMBasicBlockAsValue(block));
}

/* Instructions of reachable blocks; definitions precede uses, except in phis. */
static ValueList in_flow_order(LLVMValueRef function)
{
    ValueList blocks = {0}, list = {0};
    Map seen = {0};
    visit_block(LLVMGetEntryBasicBlock(function), &seen, &blocks);
    for (uint32_t b = blocks.count; b-- > 0;) {
        LLVMBasicBlockRef block = LLVMValueAsBasicBlock(blocks.items[b]);
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            VEC_PUSH(&list, i);
    }
    VEC_FREE(&blocks);
    map_release(&seen);
    return list;
}

static void track_function(Module *m, LLVMValueRef function)
{
    Shadow s = {.m = m, .function = function};
    shadow_flow(&s);
    ValueList list = in_flow_order(function);
    shadow_entry(&s);
    for (uint32_t i = 0; i < list.count; i++)
        track(&s, list.items[i]);
    shadow_complete_phis(&s);
    VEC_FREE(&list);
    map_release(&s.maybe);
    map_release(&s.first);
    VEC_FREE(&s.parts);
    VEC_FREE(&s.phis);
}

void pass_shadow(Module *m)
{
    ValueList functions = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !name_begins(module_name_of(f), "sennit.shadow."))
            VEC_PUSH(&functions, f);
    shadow_reach_closed(m);
    for (uint32_t i = 0; i < functions.count; i++)
        track_function(m, functions.items[i]);
    VEC_FREE(&functions);
}
