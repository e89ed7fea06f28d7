/* codegen.h - optimises an instrumented module and generates its code, as clang would from the bitcode
 *
 * Saves the start of another process and writing and reading the module. What this does not know (options that only
 * clang understands, emulated thread-local storage, another target) is left to clang.
 */
#ifndef INSTR_CODEGEN_H
#define INSTR_CODEGEN_H

#include "base/text.h"
#include "instr/module/module.h"

/* Can code be generated here? The words are those of a CarriedRecord, of which those behind "--" are arguments of
 * clang. */
bool codegen_knows(const Module *m, const Text *words);

/* Checks the module, optimises it and writes it as an object file. The module is of no other use afterwards. */
bool codegen_write(Module *m, const Text *words, const char *path, Error *error);

#endif
