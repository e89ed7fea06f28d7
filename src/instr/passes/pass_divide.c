/* pass_divide.c - divisors that are 0
 *
 * What the machine would trap at is undefined for the optimiser, which removes a division that nobody needs or goes on
 * as if it had succeeded. So the runtime looks first. Where inputs decide, shadow_value.c has put in the
 * decision already.
 */
#include <llvm-c/DebugInfo.h>

#include "instr/module/hook.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"

static bool is_signed_division(LLVMOpcode opcode) { return opcode == LLVMSDiv || opcode == LLVMSRem; }

/* A known divisor cannot be wrong, unless it is 0 or -1. */
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

/* The smallest number, 100...0: what is left if all ones lose their other bits. */
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
