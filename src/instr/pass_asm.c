/* pass_asm.c - assembly that the scheduler cannot see
 *
 * Compiler barriers, pauses and fences do not touch memory and pass silently; a locked
 * instruction in assembly is an atomic access that no hook announces.
 */
#include "instr/asmtext.h"
#include "instr/passes.h"

static void check(Module *m, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode == LLVMCallBr)
        module_warn(m, instruction, "inline assembly with jumps is invisible to the scheduler");
    if (opcode != LLVMCall)
        return;
    LLVMValueRef code = LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
    if (code && !asmtext_is_harmless(code))
        module_warn(m, instruction, "inline assembly is invisible to the scheduler: "
                                    "what it does to shared memory is not checked");
}

void pass_asm(Module *m)
{
    size_t length;
    LLVMGetModuleInlineAsm(m->llvm, &length);
    if (length)
        module_warn(m, NULL, "assembly at file scope is invisible to the scheduler");
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++)
            check(m, list.items[i]);
        VEC_FREE(&list);
    }
}
