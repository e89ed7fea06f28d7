/* carried.h - bitcode that objects carry along, so that the whole program can be analysed
 *
 * Each instrumented object has its code as it was before in section "sennit_bitcode"; linkers put
 * them one behind the other. A record is a mark, its size, the bitcode.
 */
#ifndef INSTR_MODULE_CARRIED_H
#define INSTR_MODULE_CARRIED_H

#include <llvm-c/Core.h>

#include "base/error.h"
#include "instr/module/module.h"

/* Puts the module's code as it was read into the object, for analyses of the whole program. */
bool carried_embed(Module *m, Error *error);

/* All bitcode that the file carries (an object or a program), as one module; NULL on failure. */
LLVMModuleRef carried_link(LLVMContextRef context, const char *path, Error *error);

#endif
