/* check_scope.c - local variables and fields in scope */
#include "abs/check/check_internal.h"

Variable *check_add_local(Checker *c, const Name *name, Type *type)
{
    Variable *variable = arena_zero(&c->model->arena, sizeof *variable);
    variable->name = *name;
    variable->type = type;
    if (name->text)
        VEC_PUSH(&c->locals, variable);
    return variable;
}

Variable *check_declare(Checker *c, const Name *name, Type *type)
{
    if (name->text && check_find_local(c, name->text))
        check_error(c, name->pos, name->length, "variable '%s' is already declared", name->text);
    return check_add_local(c, name, type);
}

/* Each anonymous function between the variable and its use captures it. */
static void capture(Checker *c, Variable *variable, uint32_t index)
{
    for (uint32_t i = c->lambdas.count; i > 0 && index < c->lambda_bases.items[i - 1]; i--) {
        Expr *lambda = c->lambdas.items[i - 1];
        uint32_t k = 0;
        while (k < lambda->captured.count && lambda->captured.items[k] != variable)
            k++;
        if (k < lambda->captured.count)
            continue;
        Variable **grown = arena_alloc(&c->model->arena, (k + 1) * sizeof *grown);
        for (uint32_t n = 0; n < k; n++)
            grown[n] = lambda->captured.items[n];
        grown[k] = variable;
        lambda->captured.items = grown;
        lambda->captured.count = k + 1;
    }
}

Variable *check_find_local(Checker *c, const char *name)
{
    for (uint32_t i = c->locals.count; i > 0; i--) {
        Variable *variable = c->locals.items[i - 1];
        if (variable->name.text == name) {
            capture(c, variable, i - 1);
            return variable;
        }
    }
    return NULL;
}

Field *check_find_field(const Checker *c, const char *name)
{
    for (uint32_t i = 0; c->class && c->place != PLACE_FUNCTION && i < c->class->fields.count; i++)
        if (c->class->fields.items[i]->name.text == name)
            return c->class->fields.items[i];
    return NULL;
}

uint32_t check_open_scope(const Checker *c)
{
    return c->locals.count;
}

void check_close_scope(Checker *c, uint32_t mark)
{
    c->locals.count = mark;
}
