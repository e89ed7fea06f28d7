/* shadow_value.h - shadows of computed values, and decisions on them; one function per kind of instruction */
#ifndef INSTR_SHADOW_SHADOW_VALUE_H
#define INSTR_SHADOW_SHADOW_VALUE_H

#include "instr/shadow/shadow.h"

/* Inserts the check that the sum, difference or product `op` of a and b, of the type of `i`, does not overflow, with
 * symbolic operands or not. */
void shadow_check_overflow(Shadow *s, LLVMValueRef i, unsigned op, LLVMValueRef a, LLVMValueRef b);
void shadow_arithmetic(Shadow *s, LLVMValueRef i);
void shadow_compare(Shadow *s, LLVMValueRef i);
void shadow_cast(Shadow *s, LLVMValueRef i);
void shadow_select(Shadow *s, LLVMValueRef i);
void shadow_phi(Shadow *s, LLVMValueRef i);
void shadow_complete_phis(Shadow *s);
void shadow_address(Shadow *s, LLVMValueRef i);
void shadow_member(Shadow *s, LLVMValueRef i);
void shadow_float(Shadow *s, LLVMValueRef i);
void shadow_branch(Shadow *s, LLVMValueRef i);
void shadow_switch(Shadow *s, LLVMValueRef i);
void shadow_goto(Shadow *s, LLVMValueRef i);

#endif
