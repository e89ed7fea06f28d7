/* callee.c - see callee.h */
#include "instr/module/callee.h"

#include <string.h>

#include "instr/module/module.h"

LLVMValueRef callee_of(LLVMValueRef value)
{
    return LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
}

const char *callee_name(LLVMValueRef value)
{
    LLVMValueRef callee = callee_of(value);
    return callee ? module_name_of(callee) : "";
}

bool name_begins(const char *name, const char *prefix) { return strncmp(name, prefix, strlen(prefix)) == 0; }

bool name_is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}
