/* lower.c - building code: instructions, registers, labels */
#include "abs/lower/lower_internal.h"

#include <string.h>

enum { MOST_REGISTERS = 60000, MOST_CODE = 1 << 24 };

Code *lower_new_code(Lowering *lowering, CodeKind kind, const char *name, SrcPos pos)
{
    Code *code = arena_zero(&lowering->image->arena, sizeof *code);
    code->kind = kind;
    code->name = name;
    code->pos = pos;
    code->number = lowering->image->codes.count;
    VEC_PUSH(&lowering->image->codes, code);
    return code;
}

void lower_begin(CodeBuilder *b, Lowering *lowering, CodeBuilder *outer, Code *code)
{
    *b = (CodeBuilder){.lowering = lowering, .outer = outer, .code = code, .pos = code->pos, .stmt = SRCPOS_NONE};
}

static void *take(CodeBuilder *b, const void *items, size_t size)
{
    void *copy = arena_alloc(&b->lowering->image->arena, size);
    return size ? memcpy(copy, items, size) : copy;
}

static bool is_jump(uint16_t op)
{
    return op == INSTR_JUMP || op == INSTR_JUMP_IF || op == INSTR_JUMP_UNLESS || op == INSTR_UNLESS_DATA;
}

void lower_end(CodeBuilder *b)
{
    Code *code = b->code;
    code->count = b->instrs.count;
    code->instrs = take(b, b->instrs.items, b->instrs.count * sizeof(Instr));
    code->places = take(b, b->places.items, b->places.count * sizeof(SrcPos));
    code->stmts = take(b, b->stmts.items, b->stmts.count * sizeof(SrcPos));
    code->try_count = b->tries.count;
    code->tries = take(b, b->tries.items, b->tries.count * sizeof(TryRegion));
    for (uint32_t i = 0; i < code->count; i++)
        if (is_jump(code->instrs[i].op))
            code->instrs[i].x.target = code->instrs + code->instrs[i].x.number;
    VEC_FREE(&b->instrs);
    VEC_FREE(&b->places);
    VEC_FREE(&b->stmts);
    VEC_FREE(&b->tries);
    VEC_FREE(&b->captures);
}

uint32_t lower_emit(CodeBuilder *b, InstrOp op, uint16_t a, uint16_t operand_b, uint16_t c)
{
    Instr instr = {.run = machine_handler(op), .op = (uint16_t)op, .a = a, .b = operand_b, .c = c};
    if (b->instrs.count >= MOST_CODE)
        b->lowering->too_large = true;
    else {
        VEC_PUSH(&b->instrs, instr);
        VEC_PUSH(&b->places, b->pos);
        VEC_PUSH(&b->stmts, b->stmt);
    }
    return b->instrs.count - 1;
}

Instr *lower_last(CodeBuilder *b)
{
    return &b->instrs.items[b->instrs.count - 1];
}

uint16_t lower_temps(CodeBuilder *b, uint32_t count)
{
    uint16_t first = b->next;
    if (first + count > MOST_REGISTERS) {
        b->lowering->too_large = true;
        return 0;
    }
    b->next = (uint16_t)(first + count);
    if (b->next > b->code->register_count)
        b->code->register_count = b->next;
    return first;
}

uint16_t lower_temp(CodeBuilder *b)
{
    return lower_temps(b, 1);
}

/* Code that is lowered several times, for different function arguments, gets one number. */
uint16_t lower_decision(CodeBuilder *b, SrcPos pos, const char *kind)
{
    Image *image = b->lowering->image;
    if (source_place(&image->model->sources, pos).file->library)
        return 0;
    if (!image->decisions.count)
        VEC_PUSH(&image->decisions, ((CodeDecision){.kind = ""}));
    for (uint32_t i = 1; i < image->decisions.count; i++)
        if (image->decisions.items[i].pos == pos)
            return (uint16_t)i;
    if (image->decisions.count > UINT16_MAX)
        return 0;
    VEC_PUSH(&image->decisions, ((CodeDecision){.pos = pos, .code = b->code, .kind = kind}));
    return (uint16_t)(image->decisions.count - 1);
}

void lower_cover(CodeBuilder *b, uint16_t decision, bool holds)
{
    if (!decision)
        return;
    lower_emit(b, INSTR_COVER, 0, 0, decision);
    lower_last(b)->x.number = holds;
}

void lower_jump(CodeBuilder *b, InstrOp op, uint16_t reg, JumpLabel *label)
{
    VEC_PUSH(&label->uses, lower_emit(b, op, 0, reg, 0));
}

void lower_place(CodeBuilder *b, JumpLabel *label)
{
    for (uint32_t i = 0; i < label->uses.count; i++)
        b->instrs.items[label->uses.items[i]].x.number = b->instrs.count;
    VEC_FREE(&label->uses);
}

void lower_declare(CodeBuilder *b, Variable *variable, uint16_t slot)
{
    if (!variable)
        return;
    variable->owner = b->code;
    variable->slot = slot;
}

const InputCode *lower_input(CodeBuilder *b, const char *name, Type *type)
{
    InputCode *input = arena_alloc(&b->lowering->image->arena, sizeof *input);
    *input = (InputCode){name, type};
    b->lowering->image->has_inputs = true;
    return input;
}

void lower_const(CodeBuilder *b, uint16_t target, Value value)
{
    lower_emit(b, INSTR_CONST, target, 0, 0);
    lower_last(b)->x.value = value;
}

uint32_t lower_selector(Lowering *lowering, const char *name)
{
    bool added;
    uint64_t *value = map_insert(&lowering->selectors, map_key(name), &added);
    if (added) {
        VEC_PUSH(&lowering->selector_names, name);
        *value = lowering->selector_names.count;
    }
    return (uint32_t)*value - 1;
}
