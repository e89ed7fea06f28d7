/* check_annotation.c - durations, and annotations of statements that have an effect: [Deadline: d],
 * [Cost: r], [Size: r], [DC: component] */
#include "abs/check/check_internal.h"

static Type *library_type(Checker *c, const char *name)
{
    Name text = {.text = name};
    Decl *decl = check_find(c, SPACE_TYPE, &text, "type");
    return decl ? type_make_data(&c->types, (DataDecl *)decl, NULL) : c->types.error;
}

static Type *interface_type(Checker *c, const char *name)
{
    Name text = {.text = name};
    Decl *decl = check_find(c, SPACE_TYPE, &text, "interface");
    return decl ? type_make_interface(&c->types, (InterfaceDecl *)decl) : c->types.error;
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

/* The verdict names it too: an order that the scheduler excludes may show a bug. */
void check_note_scheduler(Checker *c, const Annotation *scheduler)
{
    c->model->has_schedulers = true;
    check_warning(c, scheduler->tag.pos, scheduler->tag.length,
                  "the scheduler is not used: every order of tasks is explored");
}

void check_annotations(Checker *c, const Stmt *stmt)
{
    const Annotation *deadline = annotation_find(&stmt->annotations, "Deadline");
    const Annotation *component = annotation_find(&stmt->annotations, "DC");
    const Annotation *scheduler = annotation_find(&stmt->annotations, "Scheduler");
    if (deadline)
        check_value(c, deadline, library_type(c, "ABS.StdLib.Duration"), "as deadline");
    if (component && scope_find_module(c->model, "ABS.DC"))
        check_value(c, component, interface_type(c, "ABS.DC.DeploymentComponent"), "as deployment component");
    else if (component)
        check_error(c, component->tag.pos, component->tag.length, "a deployment component needs an import from ABS.DC");
    check_value(c, annotation_find(&stmt->annotations, "Cost"), c->types.rational, "as cost");
    check_value(c, annotation_find(&stmt->annotations, "Size"), c->types.rational, "as size");
    check_value(c, annotation_find(&stmt->annotations, "DataSize"), c->types.rational, "as size");
    if (scheduler)
        check_note_scheduler(c, scheduler);
}
