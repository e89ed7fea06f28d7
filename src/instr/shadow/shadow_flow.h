/* shadow_flow.h - which values of a function may be symbolic */
#ifndef INSTR_SHADOW_SHADOW_FLOW_H
#define INSTR_SHADOW_SHADOW_FLOW_H

#include "instr/shadow/shadow.h"

/* The number of tracked scalars in a value of this type. */
unsigned shadow_part_count(LLVMTypeRef type);
/* The bits of a tracked scalar; 64 for a pointer, 0 for anything else. */
unsigned shadow_width(LLVMTypeRef type);
/* The index, among the parts of `type`, of the member that these indices select. */
unsigned shadow_part_at(LLVMTypeRef type, const unsigned *indices, unsigned count);

/* Fills `maybe` for the function. */
void shadow_flow(Shadow *s);
bool shadow_maybe(const Shadow *s, LLVMValueRef value);

#endif
