/* lower_scheduler.c - schedulers: functions of the queue of a cog and of the fields of its first object */
#include <string.h>

#include "abs/lower/lower_internal.h"

/* The library's random choice is what happens without a scheduler. */
static bool is_random(const Lowering *lowering, const Expr *expr)
{
    return expr->kind == EXPR_CALL && expr->decl &&
           lowering->model->sources.files.items[expr->decl->module->file].library &&
           strcmp(expr->decl->name.text, "randomscheduler") == 0;
}

/* The only variable in scope is the queue. */
static struct GuardInput make_input(const Capture *capture)
{
    if (capture->variable)
        return (struct GuardInput){INPUT_QUEUE, 0};
    return capture->field ? (struct GuardInput){INPUT_FIELD, capture->field->index}
                          : (struct GuardInput){INPUT_THIS, 0};
}

static void lower_choice(Lowering *lowering, Guarding *scheduler, const Expr *expr)
{
    CodeBuilder b;
    Arena *arena = &lowering->image->arena;
    Code *code = lower_new_code(lowering, CODE_GUARD, "scheduler", expr->pos);
    lower_begin(&b, lowering, NULL, code);
    lower_find_captures(&b, expr);
    uint16_t result = lower_temp(&b);
    lower_expr_to(&b, expr, result);
    lower_emit(&b, INSTR_RETURN, 0, result, 0);
    uint32_t count = b.captures.count;
    if (count > IR_MOST_INPUTS)
        lowering->too_large = true;
    code->captured_count = scheduler->input_count = count;
    code->captured = arena_alloc(arena, count * sizeof(uint16_t));
    scheduler->inputs = arena_alloc(arena, count * sizeof *scheduler->inputs);
    for (uint32_t i = 0; i < count; i++) {
        code->captured[i] = b.captures.items[i].slot;
        scheduler->inputs[i] = make_input(&b.captures.items[i]);
    }
    lower_end(&b);
    scheduler->condition = code;
}

const Guarding *lower_scheduler(Lowering *lowering, const Annotations *annotations)
{
    const Annotation *annotation = annotation_find(annotations, "Scheduler");
    if (!annotation || !annotation->value)
        return NULL;
    Guarding *scheduler = arena_zero(&lowering->image->arena, sizeof *scheduler);
    scheduler->pos = annotation->value->pos;
    if (!is_random(lowering, annotation->value))
        lower_choice(lowering, scheduler, annotation->value);
    return scheduler;
}
