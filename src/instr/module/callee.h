/* callee.h - which function an instruction calls, and comparing names of functions */
#ifndef INSTR_MODULE_CALLEE_H
#define INSTR_MODULE_CALLEE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* The function that the value, an instruction, calls directly; NULL if it is no call, or one through a pointer. */
LLVMValueRef callee_of(LLVMValueRef value);
/* The name of that function, or "". */
const char *callee_name(LLVMValueRef value);

bool name_begins(const char *name, const char *prefix);
/* The list ends with NULL. */
bool name_is_one_of(const char *name, const char *const *names);

#endif
