/* pass_tail.c - calls that must be tail calls become calls that may be
 *
 * Other passes put code between a call and the return, which `musttail` forbids. Where they do not, the code generator
 * still makes tail calls of them.
 */
#include "instr/passes/passes.h"

void pass_tail(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++)
            if (LLVMIsACallInst(list.items[i]) && LLVMGetTailCallKind(list.items[i]) == LLVMTailCallKindMustTail)
                LLVMSetTailCallKind(list.items[i], LLVMTailCallKindTail);
        VEC_FREE(&list);
    }
}
