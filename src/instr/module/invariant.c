/* invariant.c - see invariant.h */
#include "instr/module/invariant.h"

enum { MAX_DEPTH = 16 };

static bool is_inside(const Cfg *cfg, const NaturalLoop *loop, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return false;
    uint32_t block = cfg_index(cfg, LLVMGetInstructionParent(value));
    return block != CFG_NONE && loop->contains[block];
}

/* Arithmetic that cannot trap, so that it may be executed earlier or needlessly. */
static bool is_harmless_arithmetic(LLVMValueRef value)
{
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMGetElementPtr:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMSelect:
        return true;
    default:
        return false;
    }
}

static bool is_invariant(const Cfg *cfg, const NaturalLoop *loop, LLVMValueRef value, unsigned depth)
{
    if (!is_inside(cfg, loop, value))
        return true;
    if (depth > MAX_DEPTH || !is_harmless_arithmetic(value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (!is_invariant(cfg, loop, LLVMGetOperand(value, (unsigned)i), depth + 1))
            return false;
    return true;
}

bool invariant_in(const Cfg *cfg, const NaturalLoop *loop, LLVMValueRef value)
{
    return is_invariant(cfg, loop, value, 0);
}

LLVMValueRef invariant_before(const Cfg *cfg, const NaturalLoop *loop, Module *m, LLVMValueRef value,
                              LLVMValueRef place)
{
    if (!is_inside(cfg, loop, value))
        return value;
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        LLVMSetOperand(copy, i, invariant_before(cfg, loop, m, LLVMGetOperand(value, i), place));
    LLVMPositionBuilderBefore(m->builder, place);
    LLVMInsertIntoBuilder(m->builder, copy);
    return copy;
}
