/* pass_padding.c - atomic exchanges of objects that are larger than their value
 *
 * An atomic structure of 12 bytes occupies 16, and 10 of the 16 bytes of a long double are its value. clang copies the
 * value into a temporary whose padding it leaves unset, compares all bytes, and after a failed compare-and-exchange
 * does not copy the value found back to where the program expects it. Here only the value is compared, so that an
 * exchange never fails for its padding, the value found is stored, and new padding is zero.
 */
#include <llvm-c/DebugInfo.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/passes/passes.h"

/* The value of an atomic operation: loaded from a temporary with padding. */
typedef struct Padded {
    LLVMValueRef temporary;
    LLVMValueRef copy;   /* the memcpy that fills it            */
    LLVMValueRef source; /* where from                          */
    LLVMValueRef size;   /* of the value without padding        */
} Padded;

static bool fills(Module *m, LLVMValueRef i, LLVMValueRef temporary, LLVMTypeRef type)
{
    if (!name_begins(callee_name(i), "llvm.memcpy.") || LLVMGetOperand(i, 0) != temporary)
        return false;
    LLVMValueRef size = LLVMGetOperand(i, 2);
    return LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) < LLVMABISizeOfType(m->layout, type);
}

/* Is the value loaded from a temporary that was filled just before, but for its padding? */
static bool find_padded(Module *m, LLVMValueRef value, Padded *result)
{
    if (!LLVMIsALoadInst(value) || !LLVMIsAAllocaInst(LLVMGetOperand(value, 0)))
        return false;
    LLVMValueRef temporary = LLVMGetOperand(value, 0), i = LLVMGetPreviousInstruction(value);
    while (i && !fills(m, i, temporary, LLVMTypeOf(value)))
        i = LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == temporary ? NULL : LLVMGetPreviousInstruction(i);
    if (i)
        *result = (Padded){temporary, i, LLVMGetOperand(i, 1), LLVMGetOperand(i, 2)};
    return i != NULL;
}

static void clear_padding(Module *m, const Padded *padded, LLVMTypeRef type)
{
    LLVMPositionBuilderBefore(m->builder, padded->copy);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(padded->copy));
    LLVMBuildStore(m->builder, LLVMConstNull(type), padded->temporary);
}

static LLVMValueRef exchange_function(Module *m, LLVMTypeRef *type)
{
    LLVMTypeRef parameters[] = {m->i64, m->ptr, m->ptr, m->ptr, m->i32, m->i32};
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, "__atomic_compare_exchange");
    *type = LLVMFunctionType(m->i1, parameters, 6, 0);
    return function ? function : LLVMAddFunction(m->llvm, "__atomic_compare_exchange", *type);
}

/* The parts of the pair that the instruction answers. */
static void replace_parts(LLVMValueRef pair, LLVMValueRef found, LLVMValueRef success)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pair), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        LLVMReplaceAllUsesWith(user, LLVMGetIndices(user)[0] == 0 ? found : success);
        LLVMInstructionEraseFromParent(user);
    }
    LLVMInstructionEraseFromParent(pair);
}

static bool has_only_parts(LLVMValueRef pair)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pair); use; use = LLVMGetNextUse(use))
        if (!LLVMIsAExtractValueInst(LLVMGetUser(use)))
            return false;
    return true;
}

/* Becomes the library call, for the value only, with the program's own variable in place of the temporary. */
static void compare_value(Module *m, LLVMValueRef i)
{
    Padded expected, desired;
    LLVMTypeRef type, value_type = LLVMTypeOf(LLVMGetOperand(i, 1));
    if (!find_padded(m, LLVMGetOperand(i, 1), &expected) || !find_padded(m, LLVMGetOperand(i, 2), &desired) ||
        !has_only_parts(i))
        return;
    LLVMPositionBuilderBefore(m->builder, i);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(i));
    LLVMValueRef function = exchange_function(m, &type);
    LLVMValueRef args[] = {LLVMBuildIntCast2(m->builder, expected.size, m->i64, 0, ""), LLVMGetOperand(i, 0),
                           expected.source, desired.temporary, hook_order(m, LLVMGetCmpXchgSuccessOrdering(i)),
                           hook_order(m, LLVMGetCmpXchgFailureOrdering(i))};
    LLVMValueRef success = LLVMBuildCall2(m->builder, type, function, args, 6, "");
    LLVMValueRef found = LLVMBuildLoad2(m->builder, value_type, expected.temporary, "");
    clear_padding(m, &expected, value_type);
    replace_parts(i, found, success);
}

static void exchange_value(Module *m, LLVMValueRef i)
{
    Padded value;
    if (find_padded(m, LLVMGetOperand(i, 1), &value))
        clear_padding(m, &value, LLVMTypeOf(i));
}

void pass_padding(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++)
            if (LLVMGetInstructionOpcode(list.items[i]) == LLVMAtomicCmpXchg)
                compare_value(m, list.items[i]);
            else if (LLVMGetInstructionOpcode(list.items[i]) == LLVMAtomicRMW)
                exchange_value(m, list.items[i]);
        VEC_FREE(&list);
    }
}
