/* pass_serial.c - does the program ask which thread of a barrier's round is the serial one?
 *
 * pthread_barrier_wait returns PTHREAD_BARRIER_SERIAL_THREAD to one thread of each round and 0 to the others. If no
 * call uses the result, it does not matter which thread that is, and the runtime does not explore it (barrier.h). One
 * use anywhere in the program decides against it: it could belong to any round.
 */
#include "instr/module/callee.h"
#include "instr/passes/passes.h"

/* Is this use a call whose result is unused? */
static bool is_call_in_vain(LLVMUseRef use, LLVMValueRef function)
{
    LLVMValueRef user = LLVMGetUser(use);
    return callee_of(user) == function && !LLVMGetFirstUse(user);
}

void pass_serial(Module *m)
{
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, "pthread_barrier_wait");
    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use; use = LLVMGetNextUse(use))
        if (!is_call_in_vain(use, function))
            module_mark(m, "sennit_asks_serial");
}
