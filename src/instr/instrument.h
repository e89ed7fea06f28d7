/* instrument.h - turns a module as clang made it into one that runs under the explorer */
#ifndef INSTR_INSTRUMENT_H
#define INSTR_INSTRUMENT_H

#include "instr/module/module.h"

/* Runs all passes, as m->flags say. The module must not have been optimised: optimisation merges and moves accesses.
 * After a failure the module can only be closed. */
bool instrument(Module *m, Error *error);

#endif
