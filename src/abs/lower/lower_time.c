/* lower_time.c - durations, annotations of statements, and which code reads the clock */
#include <string.h>

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

/* Its register + 1; 0: there is none. */
static uint16_t lower_annotation(CodeBuilder *b, const Stmt *stmt, const char *word)
{
    const Annotation *annotation = annotation_find(&stmt->annotations, word);
    if (!annotation || !annotation->value)
        return 0;
    uint16_t value = lower_temp(b);
    lower_expr_to(b, annotation->value, value);
    return (uint16_t)(value + 1);
}

uint16_t lower_annotations(CodeBuilder *b, const Stmt *stmt)
{
    uint16_t mark = b->next;
    if (!stmt->annotations.count)
        return mark;
    uint16_t cost = lower_annotation(b, stmt, "Cost");
    if (cost)
        lower_emit(b, INSTR_COST, 0, (uint16_t)(cost - 1), CAPACITY_SPEED);
    b->deadline = lower_annotation(b, stmt, "Deadline");
    b->component = lower_annotation(b, stmt, "DC");
    b->size = lower_annotation(b, stmt, "Size");
    if (!b->size)
        b->size = lower_annotation(b, stmt, "DataSize");
    b->scheduler = stmt->expr && stmt->expr->kind == EXPR_NEW ? lower_scheduler(b->lowering, &stmt->annotations) : NULL;
    return mark;
}

/* The register of an annotation can be used again, unless the statement has declared a variable behind it. */
void lower_end_annotations(CodeBuilder *b, const Stmt *stmt, uint16_t mark)
{
    b->deadline = b->component = b->size = 0;
    b->scheduler = NULL;
    if (stmt->kind != STMT_DECLARE)
        b->next = mark;
}

void lower_call_annotations(CodeBuilder *b, uint16_t receiver)
{
    if (b->size)
        lower_emit(b, INSTR_COST, (uint16_t)(receiver + 1), (uint16_t)(b->size - 1), CAPACITY_BANDWIDTH);
    if (b->deadline)
        lower_emit(b, INSTR_DEADLINE, 0, (uint16_t)(b->deadline - 1), 0);
}

void lower_new_annotations(CodeBuilder *b)
{
    if (b->component)
        lower_emit(b, INSTR_COMPONENT, 0, (uint16_t)(b->component - 1), 0);
    if (b->scheduler) {
        lower_emit(b, INSTR_SCHEDULER, 0, 0, 0);
        lower_last(b)->x.guard = b->scheduler;
    }
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

static uint32_t find_field(const ClassDecl *class, const char *name)
{
    for (uint32_t i = 0; i < class->fields.count; i++)
        if (strcmp(class->fields.items[i]->name.text, name) == 0)
            return i;
    return 0;
}

/* Where the accounts of a deployment component are. With components, time passes. */
void lower_find_components(Image *image)
{
    static const char *const names[CAPACITY_KINDS][ACCOUNT_FIELDS] = {
        {"speedUsed", "speed", "speedNext", "speedUses", "speedTotals"},
        {"bandwidthUsed", "bandwidth", "bandwidthNext", "bandwidthUses", "bandwidthTotals"}};
    const Model *model = image->model;
    for (uint32_t i = 0; i < model->classes.count; i++) {
        const ClassDecl *class = model->classes.items[i];
        bool library = model->sources.files.items[class->decl.module->file].library;
        if (!library || strcmp(class->decl.name.text, "DeploymentComponent") != 0)
            continue;
        image->component = &image->classes[i];
        image->timed = true;
        for (uint32_t kind = 0; kind < CAPACITY_KINDS; kind++)
            for (uint32_t field = 0; field < ACCOUNT_FIELDS; field++)
                image->accounts[kind][field] = find_field(class, names[kind][field]);
    }
    for (uint32_t i = 0; i < model->constructors.count; i++)
        if (strcmp(model->constructors.items[i]->decl.name.text, "Fin") == 0 && image->component &&
            model->constructors.items[i]->decl.module == image->component->decl->decl.module)
            image->finite = model->constructors.items[i]->number;
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
