/* exec.c - the table of instructions */
#include "abs/exec_internal.h"

#include "abs/lower_internal.h"

InstrHandler *machine_handler(InstrOp op)
{
    static InstrHandler *const handlers[] = {
#define INSTR(name) exec_##name,
#include "abs/ir.def"
    };
    return handlers[op];
}
