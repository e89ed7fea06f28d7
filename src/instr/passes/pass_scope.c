/* pass_scope.c - local variables that end with their function, see scope.h */
#include "instr/passes/scope.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"

/* Builds the size in bytes of a local variable. */
static LLVMValueRef size_of_local(Module *m, LLVMValueRef variable)
{
    uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(variable));
    LLVMValueRef count = LLVMGetOperand(variable, 0);
    if (LLVMIsAConstantInt(count))
        return module_i64(m, size * LLVMConstIntGetZExtValue(count));
    return LLVMBuildMul(m->builder, LLVMBuildZExtOrBitCast(m->builder, count, m->i64, ""), module_i64(m, size), "");
}

LLVMValueRef scope_build_block(Module *m, LLVMValueRef variable, LLVMValueRef declared)
{
    LLVMValueRef args[] = {size_of_local(m, variable), module_i64(m, LLVMGetAlignment(variable)), site_of(m, declared)};
    return hook_call(m, m->ptr, "local", args, 3);
}

bool scope_is_block(LLVMValueRef value)
{
    return strcmp(callee_name(value), "sennit_rt_local") == 0;
}

static void make_block(Module *m, LLVMValueRef variable)
{
    LLVMPositionBuilderBefore(m->builder, variable);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(variable));
    LLVMReplaceAllUsesWith(variable, scope_build_block(m, variable, variable));
    LLVMInstructionEraseFromParent(variable);
}

/* The variables of main live as long as the program: its return terminates all threads. */
static void end_with_function(Module *m, LLVMValueRef function, const ValueList *list)
{
    if (strcmp(module_name_of(function), "main") == 0)
        return;
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    LLVMValueRef mark = hook_call(m, m->i64, "frame_enter", NULL, 0);
    for (uint32_t i = 0; i < list->count; i++) {
        if (LLVMGetInstructionOpcode(list->items[i]) != LLVMRet)
            continue;
        LLVMPositionBuilderBefore(m->builder, list->items[i]);
        LLVMValueRef args[] = {mark, site_of(m, list->items[i])};
        hook_call(m, m->void_type, "frame_leave", args, 2);
    }
}

static void scope_function(Module *m, LLVMValueRef function)
{
    ValueList list = module_instructions(function), blocks = {0};
    bool has_inner = false;
    for (uint32_t i = 0; i < list.count; i++) {
        if (LLVMIsAAllocaInst(list.items[i]) && !private_pointer(NULL, list.items[i]))
            VEC_PUSH(&blocks, list.items[i]);
        has_inner = has_inner || scope_is_block(list.items[i]);
    }
    if (blocks.count || has_inner)
        end_with_function(m, function, &list);
    for (uint32_t i = 0; i < blocks.count; i++)
        make_block(m, blocks.items[i]);
    VEC_FREE(&blocks);
    VEC_FREE(&list);
}

void pass_scope(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            scope_function(m, f);
}
