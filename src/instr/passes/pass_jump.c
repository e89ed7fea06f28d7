/* pass_jump.c - tells the runtime the places that jumps lead to (rt/libc/api_jump.c) */
#include <llvm-c/DebugInfo.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/passes/passes.h"

static bool sets_place(LLVMValueRef i)
{
    static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", NULL};
    return LLVMIsACallInst(i) && name_is_one_of(callee_name(i), names) &&
           LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(i)) == 32;
}

void pass_jump(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++) {
            if (!sets_place(list.items[i]))
                continue;
            LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(list.items[i]));
            LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(list.items[i]));
            LLVMValueRef args[] = {LLVMGetOperand(list.items[i], 0), list.items[i]};
            hook_call(m, m->void_type, "jump_set", args, 2);
        }
        VEC_FREE(&list);
    }
}
