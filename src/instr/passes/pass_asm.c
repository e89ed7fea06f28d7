/* pass_asm.c - warnings about assembly, which is not instrumented
 *
 * Compiler barriers, pauses and fences do not access memory and need no warning; a locked instruction in assembly is
 * an atomic access without a hook.
 */
#include "instr/module/asmtext.h"
#include "instr/passes/passes.h"

enum { MAX_WARNINGS = 5 };

static bool is_suspicious(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode != LLVMCall)
        return opcode == LLVMCallBr;
    LLVMValueRef code = LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
    return code && !asmtext_is_harmless(code);
}

void pass_asm(Module *m)
{
    size_t length;
    LLVMGetModuleInlineAsm(m->llvm, &length);
    if (length)
        module_warn(m, NULL, "assembly at file scope is not instrumented");
    uint32_t found = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++)
            if (is_suspicious(list.items[i]) && ++found <= MAX_WARNINGS)
                module_warn(m, list.items[i], "inline assembly is not instrumented: "
                                              "its accesses to shared memory are not checked");
        VEC_FREE(&list);
    }
    if (found > MAX_WARNINGS)
        module_warn(m, NULL, "%u more places with inline assembly", found - MAX_WARNINGS);
}
