/* tracked.h - library functions that exist as code in which symbolic values are tracked (src/tracked) */
#ifndef INSTR_MODULE_TRACKED_H
#define INSTR_MODULE_TRACKED_H

#include "instr/module/module.h"

/* The name, after the prefix sennit_tracked_, of the tracked version of a library function; NULL: it has none. */
const char *tracked_name(const char *name);
/* Declares the tracked version of the library function in the module. */
LLVMValueRef tracked_declare(Module *m, const char *name, LLVMTypeRef type);
/* Replaces addresses of such functions by those of the tracked versions, so that calls through pointers reach them. */
void tracked_take_addresses(Module *m);

#endif
