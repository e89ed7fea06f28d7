/* pass_divide.c - hooks that check divisors
 *
 * A division that traps is undefined behaviour for the optimiser, which removes a division whose result is not used,
 * or assumes that it succeeds. So the runtime checks first. For symbolic divisors shadow_value.c has inserted the
 * decision already.
 */
#include <llvm-c/DebugInfo.h>

#include "instr/module/hook.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"

static bool is_signed_division(LLVMOpcode opcode) { return opcode == LLVMSDiv || opcode == LLVMSRem; }

/* A constant divisor cannot trap, unless it is 0 or -1. */
static bool may_trap(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if ((!is_signed_division(opcode) && opcode != LLVMUDiv && opcode != LLVMURem) ||
        LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind)
        return false;
    LLVMValueRef divisor = LLVMGetOperand(i, 1);
    return !LLVMIsAConstantInt(divisor) || LLVMIsNull(divisor) ||
           (is_signed_division(opcode) && divisor == LLVMConstAllOnes(LLVMTypeOf(i)));
}

static LLVMValueRef is_equal(Module *m, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(m->builder, LLVMIntEQ, a, b, "");
}

/* The smallest number, 100...0. */
static LLVMValueRef smallest(Module *m, LLVMTypeRef type)
{
    LLVMValueRef shift = LLVMConstInt(type, LLVMGetIntTypeWidth(type) - 1, 0);
    return LLVMBuildShl(m->builder, LLVMConstInt(type, 1, 0), shift, "");
}

static void check(Module *m, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1), overflows = module_i32(m, 0);
    LLVMPositionBuilderBefore(m->builder, i);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(i));
    LLVMValueRef zero = LLVMBuildZExt(m->builder, is_equal(m, b, LLVMConstNull(type)), m->i32, "");
    if (is_signed_division(LLVMGetInstructionOpcode(i))) {
        LLVMValueRef both =
            LLVMBuildAnd(m->builder, is_equal(m, b, LLVMConstAllOnes(type)), is_equal(m, a, smallest(m, type)), "");
        overflows = LLVMBuildZExt(m->builder, both, m->i32, "");
    }
    LLVMValueRef args[] = {zero, overflows, site_of(m, i)};
    hook_call(m, m->void_type, "divide", args, 3);
}

void pass_divide(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++)
            if (may_trap(list.items[i]))
                check(m, list.items[i]);
        VEC_FREE(&list);
    }
}
