/* check_annotation.c - durations, and annotations that have an effect: [Deadline: d], [Cost: r], [Size: r],
 * [DC: component], [Scheduler: f(queue)] */
#include "abs/check/check_internal.h"

#include <string.h>

#include "base/vec.h"

static Type *library_type(Checker *c, const char *name, Type **args)
{
    Name text = {.text = name};
    Decl *decl = check_find(c, SPACE_TYPE, &text, "type");
    return decl ? type_make_data(&c->types, (DataDecl *)decl, args) : c->types.error;
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

/* The expression sees the queue and the fields of the object whose cog is scheduled, and no variable around it. */
void check_scheduler(Checker *c, ClassDecl *class, const Annotation *scheduler)
{
    if (!scheduler || !scheduler->value)
        return;
    if (!scope_find_module(c->model, "ABS.Scheduler")) {
        check_error(c, scheduler->tag.pos, scheduler->tag.length, "a scheduler needs an import from ABS.Scheduler");
        return;
    }
    Checker inner = *c;
    Type **args = arena_alloc(&c->model->arena, sizeof *args);
    args[0] = library_type(c, "ABS.Scheduler.Process", NULL);
    inner.class = class;
    inner.place = PLACE_METHOD;
    memset(&inner.locals, 0, sizeof inner.locals);
    check_add_local(&inner, &(Name){.text = intern_make(&c->model->names, "queue", 5)},
                    library_type(c, "ABS.StdLib.List", args));
    check_value(&inner, scheduler, args[0], "as the task that is chosen");
    VEC_FREE(&inner.locals);
    c->model->has_schedulers = true;
}

/* A scheduler belongs to the cog of the object that the statement creates. */
static void check_new_scheduler(Checker *c, const Stmt *stmt)
{
    const Annotation *scheduler = annotation_find(&stmt->annotations, "Scheduler");
    if (!scheduler)
        return;
    if (!stmt->expr || stmt->expr->kind != EXPR_NEW) {
        check_warning(c, scheduler->tag.pos, scheduler->tag.length,
                      "a scheduler has no effect here: no object is created");
        return;
    }
    ClassDecl *class = (ClassDecl *)check_find(c, SPACE_CLASS, &stmt->expr->name, "class");
    if (class)
        check_scheduler(c, class, scheduler);
}

/* What a statement costs or sends may make its task wait, which an object that is being created must not. */
static void check_resource(Checker *c, const Stmt *stmt, const char *tag, const char *what)
{
    const Annotation *annotation = annotation_find(&stmt->annotations, tag);
    check_value(c, annotation, c->types.rational, what);
    if (annotation && c->place == PLACE_INIT)
        check_error(c, annotation->tag.pos, annotation->tag.length, "an init block must not contain [%s]", tag);
}

void check_move(Checker *c, Expr *component)
{
    Type *type = check_expr(c, component);
    if (scope_find_module(c->model, "ABS.DC"))
        check_fits(c, type, interface_type(c, "ABS.DC.DeploymentComponent"), component->pos, component->length,
                   "as deployment component");
    else
        check_error(c, component->pos, component->length, "a deployment component needs an import from ABS.DC");
}

void check_annotations(Checker *c, const Stmt *stmt)
{
    const Annotation *deadline = annotation_find(&stmt->annotations, "Deadline");
    const Annotation *component = annotation_find(&stmt->annotations, "DC");
    if (deadline)
        check_value(c, deadline, library_type(c, "ABS.StdLib.Duration", NULL), "as deadline");
    if (component && scope_find_module(c->model, "ABS.DC"))
        check_value(c, component, interface_type(c, "ABS.DC.DeploymentComponent"), "as deployment component");
    else if (component)
        check_error(c, component->tag.pos, component->tag.length, "a deployment component needs an import from ABS.DC");
    check_resource(c, stmt, "Cost", "as cost");
    check_resource(c, stmt, "Size", "as size");
    check_resource(c, stmt, "DataSize", "as size");
    check_new_scheduler(c, stmt);
}
