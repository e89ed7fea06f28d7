/* bits.h - values as the 64-bit words that atomic hooks take and return */
#ifndef INSTR_MODULE_BITS_H
#define INSTR_MODULE_BITS_H

#include "instr/module/module.h"

/* Can a value of this type travel in one word (1, 2, 4 or 8 bytes)? */
bool bits_fit(const Module *m, LLVMTypeRef type);

/* An integer, pointer or floating-point value as an i64, zero-extended; and back. The code is built at the builder's
 * position. */
LLVMValueRef bits_pack(Module *m, LLVMValueRef value);
LLVMValueRef bits_unpack(Module *m, LLVMValueRef word, LLVMTypeRef type);

#endif
