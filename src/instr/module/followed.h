/* followed.h - library functions that exist as code in which inputs are followed (src/tracked) */
#ifndef INSTR_MODULE_FOLLOWED_H
#define INSTR_MODULE_FOLLOWED_H

#include "instr/module/module.h"

/* The name below sennit_tracked_ of what the library calls `name`; NULL: it is not followed. */
const char *followed_as(const char *name);
/* The followed version of the library's function, as a function of the module. */
LLVMValueRef followed_declare(Module *m, const char *name, LLVMTypeRef type);
/* Addresses of such functions become those of the followed versions: whoever calls through a pointer reaches them. */
void followed_take_addresses(Module *m);

#endif
