/* check_annotation.c - durations, and annotations of statements that have an effect: [Deadline: d] */
#include "abs/check/check_internal.h"

static Type *library_type(Checker *c, const char *name)
{
    Name text = {.text = name};
    Decl *decl = check_find(c, SPACE_TYPE, &text, "type");
    return decl ? type_make_data(&c->types, (DataDecl *)decl, NULL) : c->types.error;
}

void check_delay(Checker *c, const ExprList *delay)
{
    for (uint32_t i = 0; i < delay->count; i++)
        check_fits(c, check_expr(c, delay->items[i]), c->types.rational, delay->items[i]->pos,
                   delay->items[i]->length, "as duration");
}

static void check_value(Checker *c, const Annotation *annotation, Type *type, const char *context)
{
    if (annotation && annotation->value)
        check_fits(c, check_expr(c, annotation->value), type, annotation->value->pos, annotation->value->length,
                   context);
}

void check_annotations(Checker *c, const Stmt *stmt)
{
    const Annotation *deadline = annotation_find(&stmt->annotations, "Deadline");
    const Annotation *component = annotation_find(&stmt->annotations, "DC");
    if (deadline)
        check_value(c, deadline, library_type(c, "ABS.StdLib.Duration"), "as deadline");
    if (component)
        diag_add(&c->model->diags, DIAG_UNSUPPORTED, component->tag.pos, component->tag.length,
                 "deployment components ('DC')");
}
