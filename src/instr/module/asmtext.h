/* asmtext.h - inline assembly that does not access memory */
#ifndef INSTR_MODULE_ASMTEXT_H
#define INSTR_MODULE_ASMTEXT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* Is it a compiler barrier or a pause, which no other thread can observe? */
bool asmtext_is_harmless(LLVMValueRef inline_asm);

/* How assembly reads the identity of the running thread. */
typedef enum AsmThread {
    ASM_THREAD_NONE,
    ASM_THREAD_POINTER, /* the thread pointer itself                                        */
    ASM_THREAD_SLOT,    /* eight bytes at a constant distance from it (x86-64: mov %fs:16, $0) */
    ASM_THREAD_OPERAND  /* the same, and its only operand is the distance (mov %fs:$1, $0)     */
} AsmThread;

/* The offset is set for ASM_THREAD_SLOT. */
AsmThread asmtext_thread(LLVMValueRef inline_asm, uint64_t *offset);

#endif
