/* lower_time.c - durations, annotations of statements, and which code reads the clock */
#include "abs/lower/lower_internal.h"

/* ---- Durations --------------------------------------------------------------------- */

/* Code of the library lets time pass only where the user's code asks for it. */
static void note_delay(const CodeBuilder *b)
{
    Image *image = b->lowering->image;
    image->timed |= !b->lowering->model->sources.files.items[b->lowering->module->file].library;
}

void lower_delay(CodeBuilder *b, const ExprList *delay, uint16_t *least, uint16_t *most)
{
    note_delay(b);
    *least = *most = lower_temp(b);
    lower_expr_to(b, delay->items[0], *least);
    if (delay->count > 1) {
        *most = lower_temp(b);
        lower_expr_to(b, delay->items[1], *most);
    }
}

void lower_duration(CodeBuilder *b, const Stmt *stmt)
{
    uint16_t mark = b->next, least, most;
    lower_delay(b, &stmt->delay, &least, &most);
    b->pos = stmt->pos;
    lower_emit(b, INSTR_DURATION, 0, least, most);
    b->next = mark;
}

/* ---- Annotations --------------------------------------------------------------------- */

uint16_t lower_annotations(CodeBuilder *b, const Stmt *stmt)
{
    const Annotation *deadline = annotation_find(&stmt->annotations, "Deadline");
    uint16_t mark = b->next;
    if (deadline && deadline->value) {
        uint16_t value = lower_temp(b);
        lower_expr_to(b, deadline->value, value);
        b->deadline = (uint16_t)(value + 1);
    }
    return mark;
}

/* The register of an annotation can be used again, unless the statement has declared a variable behind it. */
void lower_end_annotations(CodeBuilder *b, const Stmt *stmt, uint16_t mark)
{
    b->deadline = 0;
    if (stmt->kind != STMT_DECLARE)
        b->next = mark;
}

void lower_call_annotations(CodeBuilder *b)
{
    if (b->deadline)
        lower_emit(b, INSTR_DEADLINE, 0, (uint16_t)(b->deadline - 1), 0);
}

/* ---- Who reads the clock ----------------------------------------------------------------- */

static const Code *code_of_closure(Value value)
{
    return value_is_kind(value, CELL_CLOSURE) ? (const Code *)(uintptr_t)value_cell(value)->args[0] : NULL;
}

static bool instr_reads_clock(const Instr *instr)
{
    const Code *code = NULL;
    switch ((InstrOp)instr->op) {
    case INSTR_BUILTIN: return builtin_reads_clock(instr->x.builtin);
    case INSTR_CALL:
    case INSTR_TAIL_CALL:
    case INSTR_CLOSURE: code = instr->x.code; break;
    case INSTR_CONST: code = code_of_closure(instr->x.value); break;
    default: break;
    }
    return code && code->reads_clock;
}

static bool code_reads_clock(const Code *code)
{
    for (uint32_t i = 0; i < code->count; i++)
        if (instr_reads_clock(&code->instrs[i]))
            return true;
    return false;
}

void lower_find_clock_readers(Image *image)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < image->codes.count; i++) {
            Code *code = image->codes.items[i];
            if (!code->reads_clock && code_reads_clock(code))
                changed = code->reads_clock = true;
        }
    }
    for (uint32_t i = 0; i < image->guards.count; i++) {
        Guarding *guard = image->guards.items[i];
        guard->reads_clock = image->timed && guard->condition && guard->condition->reads_clock;
    }
}
