/* carried.h - bitcode embedded in objects, so that the whole program can be analysed
 *
 * Each instrumented object contains its uninstrumented bitcode and how it was compiled (carried_record.h).
 */
#ifndef INSTR_MODULE_CARRIED_H
#define INSTR_MODULE_CARRIED_H

#include <llvm-c/Core.h>

#include "base/error.h"
#include "instr/module/module.h"

/* Embeds the module's bitcode as it was read, for analyses of the whole program. */
bool carried_embed(Module *m, Error *error);

/* All bitcode in the file (an object or a program), linked into one module; NULL on failure. */
LLVMModuleRef carried_link(LLVMContextRef context, const char *path, Error *error);

#endif
