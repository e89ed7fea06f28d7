/* exec_internal.h - the instructions' functions, one per line of ir.def */
#ifndef ABS_RUN_EXEC_INTERNAL_H
#define ABS_RUN_EXEC_INTERNAL_H

#include "abs/run/machine.h"

#define INSTR(name) InstrHandler exec_##name;
#include "abs/lower/ir.def"

#endif
