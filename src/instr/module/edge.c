/* edge.c - see edge.h */
#include "instr/module/edge.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "base/mem.h"

static void redirect_branch(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef middle)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) == to)
            LLVMSetSuccessor(end, i, middle);
}

/* The C interface cannot rename an incoming edge, so the phi is rebuilt. Parallel edges carry the same value and
 * become one. */
static void rebuild_phi(Module *m, LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef middle)
{
    unsigned count = LLVMCountIncoming(phi), kept = 0;
    LLVMValueRef *values = mem_alloc(count * sizeof *values);
    LLVMBasicBlockRef *blocks = mem_alloc(count * sizeof *blocks);
    bool replaced = false;
    for (unsigned i = 0; i < count; i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        if (block == from && replaced)
            continue;
        replaced |= block == from;
        values[kept] = LLVMGetIncomingValue(phi, i);
        blocks[kept++] = block == from ? middle : block;
    }
    LLVMPositionBuilderBefore(m->builder, phi);
    LLVMValueRef fresh = LLVMBuildPhi(m->builder, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < kept; i++) /* a phi may be its own operand */
        values[i] = values[i] == phi ? fresh : values[i];
    LLVMAddIncoming(fresh, values, blocks, kept);
    LLVMReplaceAllUsesWith(phi, fresh);
    LLVMInstructionEraseFromParent(phi);
    free(values);
    free(blocks);
}

LLVMBasicBlockRef edge_split(Module *m, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMBasicBlockRef middle = LLVMInsertBasicBlockInContext(m->context, to, "");
    redirect_branch(from, to, middle);
    for (LLVMValueRef i = LLVMGetFirstInstruction(to), next; LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        rebuild_phi(m, i, from, middle);
    }
    LLVMPositionBuilderAtEnd(m->builder, middle);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(from)));
    LLVMBuildBr(m->builder, to);
    return middle;
}
