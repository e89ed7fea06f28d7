/* pass_recursion.c - functions that end with a call of themselves become loops, as with any compiler that optimises
 *
 * Such a function may wait: `void wait(void) { if (!load(&flag)) wait(); }`. Other tail calls stay calls, so that call
 * stacks are complete; and so do all calls in functions compiled for debugging.
 */
#include "instr/passes/passes.h"

#define KEY "disable-tail-calls"

static bool calls_itself(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
            return true;
    }
    return false;
}

bool pass_recursion(Module *m, Error *error)
{
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    ValueList functions = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        LLVMAttributeRef forbids = LLVMGetStringAttributeAtIndex(f, at, KEY, sizeof KEY - 1);
        if (LLVMIsDeclaration(f) || !forbids || !calls_itself(f))
            continue;
        LLVMRemoveStringAttributeAtIndex(f, at, KEY, sizeof KEY - 1);
        VEC_PUSH(&functions, f);
    }
    bool done = !functions.count || module_run_passes(m, "function(tailcallelim)", error);
    LLVMAttributeRef forbids = LLVMCreateStringAttribute(LLVMGetModuleContext(m->llvm), KEY, sizeof KEY - 1, "true", 4);
    for (uint32_t i = 0; i < functions.count; i++)
        LLVMAddAttributeAtIndex(functions.items[i], at, forbids);
    VEC_FREE(&functions);
    return done;
}
