/* abstract_fold.h - the result of an instruction on sets of atoms */
#ifndef INSTR_ANALYSIS_ABSTRACT_FOLD_H
#define INSTR_ANALYSIS_ABSTRACT_FOLD_H

#include <llvm-c/Core.h>

#include "instr/analysis/abstract_memory.h"

/* Adds the result of a binary operation on numbers of `width` bits. Nothing if an operand is empty. */
void abstract_fold_binary(LLVMOpcode opcode, unsigned width, const AbsValue *a, const AbsValue *b, AbsValue *result);
/* Adds 0, 1 or both. */
void abstract_fold_compare(const AbsMemory *memory, LLVMIntPredicate predicate, unsigned width, const AbsValue *a,
                     const AbsValue *b, AbsValue *result);
/* Adds numbers truncated or extended from one width to another; addresses are unchanged. */
void abstract_fold_cast(LLVMOpcode opcode, unsigned from, unsigned to, const AbsValue *a, AbsValue *result);

#endif
