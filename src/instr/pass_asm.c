/* pass_asm.c - assembly that the scheduler cannot see
 *
 * Compiler barriers, pauses and fences do not touch memory and pass silently; a locked
 * instruction in assembly is an atomic access that no hook announces.
 */
#include <ctype.h>
#include <string.h>

#include "instr/passes.h"

/* Text without white space, so that spellings compare. */
static void squeeze(char *out, size_t size, const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < size; i++)
        if (!isspace((unsigned char)text[i]))
            out[n++] = text[i];
    out[n] = '\0';
}

static bool is_harmless(LLVMValueRef code)
{
    static const char *const texts[] = {"", "pause", "pause;", "rep;nop", "repnop", "nop", "nop;", "mfence", "mfence;",
                                        "lfence", "sfence", "rep;nop;", "lock;addl$$0,0(%rsp)", "lock;addl$$0,0(%%rsp)",
                                        "lock;addl$$0,-4(%rsp)", "yield"};
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(code, &length);
    char squeezed[64];
    squeeze(squeezed, sizeof squeezed, text, length);
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(squeezed, texts[i]) == 0)
            return true;
    return false;
}

static void check(Module *m, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    if (opcode == LLVMCallBr)
        module_warn(m, instruction, "inline assembly with jumps is invisible to the scheduler");
    if (opcode != LLVMCall)
        return;
    LLVMValueRef code = LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
    if (code && !is_harmless(code))
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
