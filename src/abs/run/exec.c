/* exec.c - the table of instructions */
#include "abs/run/exec_internal.h"

InstrHandler *machine_handler(InstrOp op)
{
    static InstrHandler *const handlers[] = {
#define INSTR(name) exec_##name,
#include "abs/lower/ir.def"
    };
    return handlers[op];
}
