/* asmtext.h - inline assembly that does not access memory */
#ifndef INSTR_MODULE_ASMTEXT_H
#define INSTR_MODULE_ASMTEXT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Is it a compiler barrier, a pause or a fence, which no other thread can observe? */
bool asmtext_is_harmless(LLVMValueRef inline_asm);

#endif
