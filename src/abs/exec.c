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

const char *instr_name(InstrOp op)
{
    static const char *const names[] = {
#define INSTR(name) #name,
#include "abs/ir.def"
    };
    return names[op];
}
