/* hook.h - calls to the runtime from instrumented code (rt/abi/hooks.h) */
#ifndef INSTR_MODULE_HOOK_H
#define INSTR_MODULE_HOOK_H

#include "instr/module/module.h"

/* Builds a call of `sennit_rt_<name>` at the builder's position; the runtime's function is declared on first use with
 * the types of these arguments. */
LLVMValueRef hook_call(Module *m, LLVMTypeRef result, const char *name, LLVMValueRef *args, unsigned count);

/* Is `instruction` a call of `sennit_rt_<prefix>...`? */
bool hook_is(LLVMValueRef instruction, const char *prefix);

/* Stores the source place of `instruction` for the runtime before it, for calls without a place argument. Answers the
 * store. */
LLVMValueRef hook_store_site(Module *m, LLVMValueRef instruction);

/* The runtime's constant for an atomic ordering of LLVM. The program is marked if it is weaker than seq_cst. */
LLVMValueRef hook_order(Module *m, LLVMAtomicOrdering ordering);

#endif
