/* shadow_local.c - see shadow_local.h */
#include "instr/shadow/shadow_local.h"

#include <llvm-c/DebugInfo.h>

#include "instr/module/hook.h"
#include "instr/module/site.h"
#include "instr/shadow/shadow_code.h"

static bool has_variable_index(LLVMValueRef gep)
{
    for (int k = 1; k < LLVMGetNumOperands(gep); k++)
        if (!LLVMIsAConstant(LLVMGetOperand(gep, (unsigned)k)))
            return true;
    return false;
}

/* Could a symbolic address point into it? Then the runtime must know its bounds. */
static bool is_indexed(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
        bool harmless = opcode == LLVMLoad || opcode == LLVMICmp ||
                        (opcode == LLVMStore && LLVMGetOperand(user, 1) == pointer) ||
                        (opcode == LLVMGetElementPtr && !has_variable_index(user) && !is_indexed(user));
        if (!harmless)
            return true;
    }
    return false;
}

static LLVMValueRef variable_size(Module *m, LLVMValueRef variable)
{
    uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(variable));
    LLVMValueRef count = LLVMBuildZExtOrBitCast(m->builder, LLVMGetOperand(variable, 0), m->i64, "");
    return LLVMBuildMul(m->builder, count, module_i64(m, size), "");
}

/* The addresses of variables depend on the lengths of earlier ones, so each length is explored separately. */
static void decide_length(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    LLVMValueRef length = LLVMGetOperand(i, 0);
    if (LLVMIsAConstantInt(length) || shadow_is_none(shadow_of(s, length, 0)))
        return;
    LLVMPositionBuilderBefore(m->builder, i);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(i));
    LLVMValueRef args[] = {shadow_of(s, length, 0), LLVMBuildZExtOrBitCast(m->builder, length, m->i64, ""),
                           module_i32(m, 0), site_of(m, i)};
    shadow_call(s, &(ShadowHelper){"decide", m->void_type, 1, SHADOW_NO_MEMORY}, args, 4);
}

enum { MOST_CLEARED = 256 };

/* Storing a bit-field keeps the bits beside it, storing a member may keep padding. The program does not depend on
 * their old contents, but they would become part of expressions and differ from execution to execution. */
static void clear_structure(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(i));
    if (LLVMGetTypeKind(LLVMGetAllocatedType(i)) != LLVMStructTypeKind || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ||
        size > MOST_CLEARED)
        return;
    LLVMValueRef at = module_after_variables(i), zero = LLVMConstNull(LLVMInt8TypeInContext(m->context));
    LLVMPositionBuilderBefore(m->builder, at);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(at));
    LLVMBuildMemSet(m->builder, i, zero, module_i64(m, size), LLVMGetAlignment(i));
    LLVMValueRef args[] = {i, shadow_none(s), module_i64(m, size)};
    shadow_call(s, &(ShadowHelper){"fill", m->void_type, 1 << 1, 0}, args, 3);
}

/* A variable whose address escapes: old shadows there are cleared, since untracked code may be the first to write
 * it. */
void shadow_variable(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(i));
    decide_length(s, i);
    clear_structure(s, i);
    bool single = LLVMIsAConstantInt(LLVMGetOperand(i, 0)) && kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind;
    if (!is_indexed(i))
        return;
    LLVMValueRef at = module_after_variables(i);
    LLVMPositionBuilderBefore(m->builder, at);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(at));
    if (single) {
        LLVMValueRef args[] = {i, shadow_none(s), variable_size(m, i)};
        shadow_call(s, &(ShadowHelper){"fill", m->void_type, 1 << 1, 0}, args, 3);
        return;
    }
    const char *name = module_name_of(i);
    LLVMValueRef args[] = {i, variable_size(m, i), module_string(m, *name ? name : "local variable")};
    hook_call(m, m->void_type, "shadow_local", args, 3);
}
