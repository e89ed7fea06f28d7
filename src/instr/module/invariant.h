/* invariant.h - values that are the same in every iteration of a loop */
#ifndef INSTR_MODULE_INVARIANT_H
#define INSTR_MODULE_INVARIANT_H

#include "instr/module/cfg.h"
#include "instr/module/module.h"

/* Computed outside the loop, or by arithmetic in it from such values. */
bool invariant_in(const Cfg *cfg, const NaturalLoop *loop, LLVMValueRef value);

/* The same value, available before `place`, which is in the loop: recomputed there if necessary. The value must be
 * invariant. */
LLVMValueRef invariant_before(const Cfg *cfg, const NaturalLoop *loop, Module *m, LLVMValueRef value,
                              LLVMValueRef place);

#endif
