/* widermw.h - atomic arithmetic on more than eight bytes */
#ifndef INSTR_MODULE_WIDERMW_H
#define INSTR_MODULE_WIDERMW_H

#include "instr/module/module.h"

/* A function of the module, created on first use, that performs the operation with a loop of compare-and-swap hooks:
 *     type function(void *p, type value, uint32_t order, const SennitSite *site)
 * NULL if there is no such operation. */
LLVMValueRef widermw_function(Module *m, LLVMAtomicRMWBinOp op, LLVMTypeRef type);

/* The integer that an update computes from `a` and its operand; NULL if the operation is not supported. */
LLVMValueRef widermw_update(Module *m, LLVMAtomicRMWBinOp op, LLVMValueRef a, LLVMValueRef b);

#endif
