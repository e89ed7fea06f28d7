/* ir_print.c - intermediate code as text, for tests and for people */
#include "abs/lower/ir.h"

const char *instr_name(InstrOp op)
{
    static const char *const names[] = {
#define INSTR(name) #name,
#include "abs/lower/ir.def"
    };
    return op < INSTR_COUNT ? names[op] : "?";
}

static bool has_target(InstrOp op)
{
    return op == INSTR_JUMP || op == INSTR_JUMP_IF || op == INSTR_JUMP_UNLESS || op == INSTR_UNLESS_DATA;
}

static void print_instr(const Code *code, uint32_t at, Text *text)
{
    const Instr *instr = &code->instrs[at];
    text_add(text, "%4u %-12s %u %u %u", at, instr_name((InstrOp)instr->op), instr->a, instr->b, instr->c);
    if (has_target((InstrOp)instr->op))
        text_add(text, " -> %u", (unsigned)(instr->x.target - code->instrs));
    else if (instr->op == INSTR_CALL || instr->op == INSTR_TAIL_CALL || instr->op == INSTR_SYNC_SELF)
        text_add(text, " %s", instr->x.code->name);
    text_add_string(text, "\n");
}

void code_print(const Code *code, Text *text)
{
    text_add(text, "%s: %u parameters, %u registers\n", code->name ? code->name : "?", code->param_count,
             code->register_count);
    for (uint32_t i = 0; i < code->count; i++)
        print_instr(code, i, text);
}
