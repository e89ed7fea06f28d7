/* asmtext.h - which inline assembly leaves memory alone */
#ifndef INSTR_MODULE_ASMTEXT_H
#define INSTR_MODULE_ASMTEXT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Compiler barriers, pauses and fences: nothing that another thread could see. */
bool asmtext_is_harmless(LLVMValueRef inline_asm);

#endif
