/* shadow_memory.h - shadows of loaded and stored values */
#ifndef INSTR_SHADOW_SHADOW_MEMORY_H
#define INSTR_SHADOW_SHADOW_MEMORY_H

#include "instr/shadow/shadow.h"

void shadow_load(Shadow *s, LLVMValueRef i);
void shadow_store(Shadow *s, LLVMValueRef i);
/* True if `call` is a hook of plain memory, an atomic one or a copy, and was handled. */
bool shadow_memory_call(Shadow *s, LLVMValueRef call, const char *name);

#endif
