/* check_call.c - calls of functions and constructors
 *
 * A parametric function gets a fresh variable for each type parameter; the arguments
 * bind them, then the functional arguments of a second-order function.
 */
#include "abs/check/dialect.h"

static bool args_counted(Checker *c, const Expr *expr, const char *what, uint32_t expected, uint32_t found)
{
    if (found == expected)
        return true;
    check_error(c, expr->pos, expr->length, "%s '%s' takes %u argument%s, found %u", what, expr->name.text, expected,
                expected == 1 ? "" : "s", found);
    return false;
}

static void check_args_alone(Checker *c, const Expr *expr)
{
    for (uint32_t i = 0; i < expr->args.count; i++)
        check_expr(c, expr->args.items[i]);
}

/* ---- Function parameters ------------------------------------------------------- */

/* A function parameter has the type of its first use. */
static Type *check_parameter_call(Checker *c, Expr *expr)
{
    Type *type = type_resolve(expr->variable->type);
    uint32_t count = expr->args.count;
    if (type->kind == TYPE_VAR) {
        type->bound = type_make_function(&c->types, check_make_vars(c, count), count, type_make_var(&c->types));
        type = type->bound;
    }
    if (type->kind != TYPE_FUNCTION || !args_counted(c, expr, "function", type->count - 1, count)) {
        if (type->kind != TYPE_FUNCTION)
            check_error(c, expr->pos, expr->length, "'%s' is a variable, not a function", expr->name.text);
        check_args_alone(c, expr);
        return c->types.error;
    }
    for (uint32_t i = 0; i < count; i++)
        check_fits(c, check_expr(c, expr->args.items[i]), type->args[i], expr->args.items[i]->pos,
                   expr->args.items[i]->length, "as argument");
    return type->args[count];
}

/* ---- Functional arguments --------------------------------------------------------- */

static void check_lambda(Checker *c, Expr *lambda, const Type *expected)
{
    uint32_t mark = check_open_scope(c);
    VEC_PUSH(&c->lambdas, lambda);
    VEC_PUSH(&c->lambda_bases, mark);
    if (expected && lambda->params.count != expected->count - 1)
        check_error(c, lambda->pos, lambda->length, "expected a function of %u argument%s, found one of %u",
                    expected->count - 1, expected->count == 2 ? "" : "s", lambda->params.count);
    for (uint32_t i = 0; i < lambda->params.count; i++) {
        Param *param = &lambda->params.items[i];
        Type *type = check_type(c, param->type_ref);
        if (expected && i < expected->count - 1)
            check_fits(c, expected->args[i], type, param->name.pos, param->name.length, "as argument of the function");
        param->variable = check_add_local(c, &param->name, type);
    }
    Type *result = check_expr(c, lambda->left);
    if (expected)
        check_fits(c, result, expected->args[expected->count - 1], lambda->left->pos, lambda->left->length,
                   "as result of the function");
    c->lambdas.count--;
    c->lambda_bases.count--;
    check_close_scope(c, mark);
    lambda->type = c->types.unit;
}

static Type *instantiate_function(Checker *c, FunctionDecl *function)
{
    uint32_t count = function->type_params.count;
    Type **vars = check_make_vars(c, count);
    Type *type = type_make_function(&c->types, function->arg_types, function->arg_count, function->result);
    return type_substitute(&c->types, type, function->param_types, vars, count);
}

static Type *find_function_type(Checker *c, Expr *expr)
{
    expr->variable = check_find_local(c, expr->name.text);
    if (expr->variable)
        return type_resolve(expr->variable->type);
    expr->decl = check_find(c, SPACE_FUNCTION, &expr->name, "function");
    FunctionDecl *function = (FunctionDecl *)expr->decl;
    if (!function)
        return c->types.error;
    check_function_header(c, function);
    return instantiate_function(c, function);
}

static void check_function_name(Checker *c, Expr *expr, Type *expected)
{
    Type *type = find_function_type(c, expr);
    expr->type = c->types.unit;
    if (type->kind == TYPE_VAR && expected) {
        type->bound = expected;
        return;
    }
    if (!expected || type->kind == TYPE_ERROR)
        return;
    if (type->kind != TYPE_FUNCTION || type->count != expected->count) {
        check_error(c, expr->pos, expr->length, "expected a function of %u argument%s", expected->count - 1,
                    expected->count == 2 ? "" : "s");
        return;
    }
    for (uint32_t i = 0; i + 1 < type->count; i++)
        check_fits(c, expected->args[i], type->args[i], expr->pos, expr->length, "as argument of the function");
    check_fits(c, type->args[type->count - 1], expected->args[type->count - 1], expr->pos, expr->length,
               "as result of the function");
}

static void check_functional_args(Checker *c, Expr *expr, FunctionDecl *function, Type **vars)
{
    for (uint32_t i = 0; i < expr->functions.count; i++) {
        Expr *arg = expr->functions.items[i];
        Type *type = NULL;
        if (i < function->function_params.count && function->function_variables)
            type = type_resolve(function->function_variables[i]->type);
        if (type && type->kind == TYPE_FUNCTION)
            type = type_substitute(&c->types, type, function->param_types, vars, function->type_params.count);
        else
            type = NULL;
        if (arg->kind == EXPR_LAMBDA)
            check_lambda(c, arg, type);
        else if (arg->kind == EXPR_VARIABLE && arg->name.text)
            check_function_name(c, arg, type);
        else if (arg->kind != EXPR_ERROR)
            check_error(c, arg->pos, arg->length, "expected the name of a function or an anonymous function");
    }
}

static bool functions_counted(Checker *c, const Expr *expr, const FunctionDecl *function)
{
    uint32_t expected = function->function_params.count, found = expr->functions.count;
    if (expected == found || (found == 0 && c->function == function))
        return true;
    check_error(c, expr->pos, expr->length,
                found ? "function '%s' takes %u function%s as first arguments, found %u"
                      : "function '%s' takes %u function%s in a first argument list, found %u",
                expr->name.text, expected, expected == 1 ? "" : "s", found);
    return false;
}

/* ---- Functions ------------------------------------------------------------------- */

static Type *apply_function(Checker *c, Expr *expr, FunctionDecl *function, Type **given, uint32_t count)
{
    Type **vars = check_make_vars(c, function->type_params.count);
    if (args_counted(c, expr, "function", function->arg_count, count))
        for (uint32_t i = 0; i < count; i++) {
            const Expr *arg = expr->kind == EXPR_NARY ? expr : expr->args.items[i];
            Type *type = type_substitute(&c->types, function->arg_types[i], function->param_types, vars,
                                         function->type_params.count);
            check_fits(c, given[i], type, arg->pos, arg->length, "as argument");
        }
    if (functions_counted(c, expr, function))
        check_functional_args(c, expr, function, vars);
    return type_substitute(&c->types, function->result, function->param_types, vars, function->type_params.count);
}

static Type **check_args(Checker *c, const Expr *expr)
{
    Type **types = arena_alloc(&c->model->arena, expr->args.count * sizeof *types);
    for (uint32_t i = 0; i < expr->args.count; i++)
        types[i] = check_expr(c, expr->args.items[i]);
    return types;
}

/* f[a, b] passes one list. */
static Type *make_list_type(Checker *c, const Expr *expr, Type **types)
{
    Type *element = type_make_var(&c->types);
    for (uint32_t i = 0; i < expr->args.count; i++)
        check_fits(c, types[i], element, expr->args.items[i]->pos, expr->args.items[i]->length,
                   "as the other elements");
    Type **args = arena_alloc(&c->model->arena, sizeof *args);
    args[0] = element;
    return type_make_data(&c->types, c->types.list, args);
}

/* Inside a second-order function its name without functional arguments means itself. */
static FunctionDecl *find_called(Checker *c, const Expr *expr)
{
    const FunctionDecl *own = c->function;
    if (own && own->function_params.count && expr->kind == EXPR_CALL && !expr->functions.count &&
        own->decl.name.text == expr->name.text)
        return (FunctionDecl *)own;
    return (FunctionDecl *)check_find(c, expr->functions.count ? SPACE_SECOND : SPACE_FUNCTION, &expr->name,
                                      "function");
}

static Type *check_function_call(Checker *c, Expr *expr)
{
    if (expr->kind == EXPR_CALL && expr->name.text && (expr->variable = check_find_local(c, expr->name.text))) {
        const Type *type = type_resolve(expr->variable->type);
        if (type->kind == TYPE_VAR || type->kind == TYPE_FUNCTION)
            return check_parameter_call(c, expr);
        expr->variable = NULL; /* variables and functions may share a name */
    }
    FunctionDecl *function = dialect_function(c, expr, find_called(c, expr));
    expr->decl = function ? &function->decl : NULL;
    Type **types = check_args(c, expr);
    if (!function)
        return c->types.error;
    check_function_header(c, function);
    if (expr->kind == EXPR_CALL)
        return apply_function(c, expr, function, types, expr->args.count);
    Type *list = make_list_type(c, expr, types);
    return apply_function(c, expr, function, &list, 1);
}

static Type *check_constructor_call(Checker *c, Expr *expr)
{
    ConstructorDecl *constructor = (ConstructorDecl *)check_find(c, SPACE_CONSTRUCTOR, &expr->name, "constructor");
    expr->decl = constructor ? &constructor->decl : NULL;
    Type **types = check_args(c, expr);
    if (!constructor)
        return c->types.error;
    check_constructor_header(c, constructor);
    DataDecl *data = constructor->data;
    Type **vars = check_make_vars(c, data->type_params.count);
    if (args_counted(c, expr, "constructor", constructor->params.count, expr->args.count))
        for (uint32_t i = 0; i < expr->args.count; i++) {
            Type *type = type_substitute(&c->types, constructor->types[i], data->param_types, vars,
                                         data->type_params.count);
            check_fits(c, types[i], type, expr->args.items[i]->pos, expr->args.items[i]->length, "as argument");
        }
    return type_make_data(&c->types, data, vars);
}

Type *check_call(Checker *c, Expr *expr)
{
    return expr->kind == EXPR_CONSTRUCT ? check_constructor_call(c, expr) : check_function_call(c, expr);
}
