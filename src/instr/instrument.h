/* instrument.h - from a module as clang made it to one that runs under the explorer */
#ifndef INSTR_INSTRUMENT_H
#define INSTR_INSTRUMENT_H

#include "instr/module/module.h"

/* The module must not have been optimised: optimisation merges and moves accesses. */
bool instrument(Module *m, Error *error);

#endif
