/* stub.h - sennit_rt_<name> for library functions that the runtime has no function of its own for
 *
 * A stub is a few instructions in the module that calls the function, so that only a program that uses a function
 * refers to it. It is weak: the program may define the function elsewhere (INSTR-4).
 */
#ifndef INSTR_MODULE_STUB_H
#define INSTR_MODULE_STUB_H

#include "instr/module/module.h"

/* Adds the stub if the class of the function in rt/abi/library.def needs one. Once per module and name. */
void stub_add(Module *m, const char *name);

#endif
