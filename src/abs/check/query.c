/* query.c - functions that query a data base: builtin(sqlite3, "file", "query", arguments), and others
 *
 * The result is an input, if it can be one (input_type.h).
 */
#include <string.h>

#include "abs/check/check_internal.h"
#include "abs/check/input_type.h"

static bool is_plain(const Checker *c, const Type *type)
{
    return type_equal(type, c->types.integer) || type_equal(type, c->types.boolean) ||
           type_equal(type, c->types.rational) || type_equal(type, c->types.floating) ||
           type_equal(type, c->types.string);
}

/* A list of plain values, or of data whose first constructor is made of them. */
static bool is_table(const Checker *c, Type *type)
{
    type = type_resolve(type);
    if (type->kind != TYPE_DATA || type->decl != &c->types.list->decl)
        return false;
    Type *row = type_resolve(type->args[0]);
    if (row->kind != TYPE_DATA || is_plain(c, row))
        return row->kind == TYPE_DATA;
    const DataDecl *data = (const DataDecl *)row->decl;
    if (!data->constructors.count || !data->constructors.items[0]->params.count)
        return false;
    for (uint32_t i = 0; i < data->constructors.items[0]->params.count; i++)
        if (!is_plain(c, type_resolve(data->constructors.items[0]->types[i])))
            return false;
    return true;
}

static bool is_text(const Expr *expr)
{
    return expr->kind == EXPR_STRING ||
           (expr->kind == EXPR_TEMPLATE && expr->args.count == 1 && expr->args.items[0]->kind == EXPR_STRING);
}

static bool check_sqlite(Checker *c, const FunctionDecl *function)
{
    const Name *name = &function->decl.name;
    const ExprList *args = &function->query_args;
    bool good = true;
    if (function->result->kind != TYPE_ERROR && !is_table(c, function->result)) {
        check_error(c, name->pos, name->length,
                    "the result of a query must be a list of numbers, Bool, String, or data made of these");
        good = false;
    }
    if (args->count < 3 || !is_text(args->items[1]) || !is_text(args->items[2])) {
        check_error(c, name->pos, name->length,
                    "a query needs the file of the data base and its text, as string literals");
        good = false;
    }
    for (uint32_t i = 3; i < args->count; i++) {
        Expr *arg = args->items[i];
        const Type *type = type_resolve(check_expr(c, arg));
        if (type->kind == TYPE_ERROR || is_plain(c, type))
            continue;
        check_error(c, arg->pos, arg->length, "an argument of a query must be a number, a Bool or a String");
        good = false;
    }
    return good;
}

void check_query(Checker *c, FunctionDecl *function)
{
    const Name *name = &function->decl.name;
    const ExprList *args = &function->query_args;
    bool sqlite = args->count && args->items[0]->kind == EXPR_VARIABLE && args->items[0]->name.text &&
                  strcmp(args->items[0]->name.text, "sqlite3") == 0;
    if (sqlite && !check_sqlite(c, function))
        return;
    function->input = type_can_be_input(&c->types, function->result);
    check_warning(c, name->pos, name->length,
                  function->input
                      ? "query '%s': its result is an input, the same for the same arguments"
                      : "query '%s': its result cannot be an input; an execution that reaches it ends there",
                  name->text);
}
