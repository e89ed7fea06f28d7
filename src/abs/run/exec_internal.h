/* exec_internal.h - the instructions' functions, one per line of ir.def */
#ifndef ABS_RUN_EXEC_INTERNAL_H
#define ABS_RUN_EXEC_INTERNAL_H

#include "abs/run/machine.h"

#define INSTR(name) InstrHandler exec_##name;
#include "abs/lower/ir.def"

/* Makes the running task wait for the end of the task `wanted`, while it keeps its object (exec_await.c). */
const Instr *exec_block(Machine *machine, const Instr *instr, AgentId wanted);

/* A limit stops the step in the method that called the pure code; of a guard it ends only the evaluation. */
const Instr *exec_stop(Machine *machine, const Instr *instr, CutKind cut);

#endif
