/* check_expr.c - types of pure expressions */
#include "abs/check/dialect.h"

/* ---- Operators ------------------------------------------------------------ */

static bool is_number(const Checker *c, const Type *type)
{
    return type_is_data(type, c->types.integer->decl) || type_is_data(type, c->types.rational->decl) ||
           type_is_data(type, c->types.floating->decl);
}

static void report_operands(Checker *c, const Expr *expr, const Type *left, const Type *right)
{
    Text a = {0}, b = {0};
    type_print(left, false, &a);
    type_print(right, false, &b);
    check_error(c, expr->pos, expr->length, "operator '%s' cannot be applied to %s and %s",
                operator_text((Operator)expr->op), text_borrow(&a), text_borrow(&b));
    text_release(&a);
    text_release(&b);
}

/* An operand of unknown type gets the type of the other one. */
static void share_type(Checker *c, Type **left, Type **right)
{
    *left = type_resolve(*left);
    *right = type_resolve(*right);
    if ((*left)->kind == TYPE_VAR || (*right)->kind == TYPE_VAR)
        type_join(&c->types, *left, *right);
    *left = type_resolve(*left);
    *right = type_resolve(*right);
}

static Type *check_arithmetic(Checker *c, Expr *expr, Type *left, Type *right)
{
    share_type(c, &left, &right);
    if (left->kind == TYPE_ERROR || right->kind == TYPE_ERROR)
        return left->kind == TYPE_ERROR ? right : left;
    if (expr->op == OP_ADD && type_is_data(left, c->types.string->decl) && type_is_data(right, c->types.string->decl))
        return c->types.string;
    Type *joined = is_number(c, left) && is_number(c, right) ? type_join(&c->types, left, right) : NULL;
    if (!joined) {
        report_operands(c, expr, left, right);
        return c->types.error;
    }
    bool exact_division = expr->op == OP_DIV && type_is_data(joined, c->types.integer->decl);
    if (exact_division && dialect_allows(c, OLD_DIVISION, expr->pos, expr->length))
        return dialect_truncate(c, expr);
    return exact_division ? c->types.rational : joined;
}

static Type *check_comparison(Checker *c, Expr *expr, Type *left, Type *right)
{
    if (!type_join(&c->types, left, right))
        report_operands(c, expr, left, right);
    return c->types.boolean;
}

static Type *check_binary(Checker *c, Expr *expr)
{
    Type *left = check_expr(c, expr->left);
    Type *right = check_expr(c, expr->right);
    switch ((Operator)expr->op) {
    case OP_OR:
    case OP_AND:
        check_fits(c, left, c->types.boolean, expr->left->pos, expr->left->length, "as operand of a Boolean operator");
        check_fits(c, right, c->types.boolean, expr->right->pos, expr->right->length,
                   "as operand of a Boolean operator");
        return c->types.boolean;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_MOD: return check_arithmetic(c, expr, left, right);
    default: return check_comparison(c, expr, left, right);
    }
}

static Type *check_unary(Checker *c, Expr *expr)
{
    Type *type = type_resolve(check_expr(c, expr->left));
    if (expr->op == OP_NOT) {
        check_fits(c, type, c->types.boolean, expr->left->pos, expr->left->length, "after '!'");
        return c->types.boolean;
    }
    if (type->kind != TYPE_ERROR && !is_number(c, type))
        check_fits(c, type, c->types.integer, expr->left->pos, expr->left->length, "after '-'");
    return type;
}

/* ---- Names ------------------------------------------------------------------ */

static Type *check_variable(Checker *c, Expr *expr)
{
    if (!expr->name.text)
        return c->types.error;
    expr->variable = check_find_local(c, expr->name.text);
    if (expr->variable) {
        if (type_resolve(expr->variable->type)->kind == TYPE_FUNCTION)
            check_error(c, expr->pos, expr->length, "'%s' is a function; it can only be called", expr->name.text);
        return expr->variable->type;
    }
    expr->field = check_find_field(c, expr->name.text);
    if (expr->field)
        return expr->field->type ? expr->field->type : c->types.error;
    check_unknown(c, &expr->name, "variable");
    return c->types.error;
}

static Type *check_field(Checker *c, Expr *expr)
{
    if (!expr->name.text)
        return c->types.error;
    expr->field = check_find_field(c, expr->name.text);
    if (expr->field)
        return expr->field->type ? expr->field->type : c->types.error;
    check_error(c, expr->pos, expr->length,
                c->class ? "class '%s' has no field '%s'" : "%sthere is no object here: '%s'",
                c->class ? c->class->decl.name.text : "", expr->name.text);
    return c->types.error;
}

static Type *check_this(Checker *c, Expr *expr)
{
    if (c->class && c->place != PLACE_FUNCTION)
        return c->class->this_type;
    check_error(c, expr->pos, expr->length, "'this' can be used in classes only");
    return c->types.error;
}

static Type *check_destiny(Checker *c, Expr *expr)
{
    if (c->place == PLACE_FUNCTION)
        check_error(c, expr->pos, expr->length, "'destiny' can be used in methods only");
    return c->types.destiny;
}

/* ---- Binding and branching ------------------------------------------------------ */

static Type *check_let(Checker *c, Expr *expr)
{
    uint32_t mark = check_open_scope(c);
    for (uint32_t i = 0; i < expr->params.count && i < expr->args.count; i++) {
        Param *param = &expr->params.items[i];
        Type *declared = check_type(c, param->type_ref);
        Type *found = check_expr(c, expr->args.items[i]);
        check_fits(c, found, declared, expr->args.items[i]->pos, expr->args.items[i]->length,
                   "as value of the variable");
        param->variable = check_add_local(c, &param->name, declared);
    }
    Type *type = check_expr(c, expr->left);
    check_close_scope(c, mark);
    return type;
}

/* Several expressions of which one is the value: their least common type. */
static Type *join_branches(Checker *c, Type *type, Type *branch, const Expr *expr)
{
    if (!type)
        return branch;
    Type *joined = type_join(&c->types, type, branch);
    if (joined)
        return joined;
    check_fits(c, branch, type, expr->pos, expr->length, "as in the other branches");
    return type;
}

static Type *check_if(Checker *c, Expr *expr)
{
    check_condition(c, expr->left, "as condition");
    Type *type = check_expr(c, expr->right);
    return join_branches(c, type, check_expr(c, expr->third), expr->third);
}

static Type *check_case(Checker *c, Expr *expr)
{
    Type *scrutinee = check_expr(c, expr->left), *type = NULL;
    for (uint32_t i = 0; i < expr->branches.count; i++) {
        Branch *branch = &expr->branches.items[i];
        uint32_t mark = check_open_scope(c);
        check_pattern(c, branch->pattern, scrutinee);
        type = join_branches(c, type, check_expr(c, branch->expr), branch->expr);
        check_close_scope(c, mark);
    }
    return type ? type : c->types.error;
}

static Type *check_template(Checker *c, Expr *expr)
{
    for (uint32_t i = 0; i < expr->args.count; i++)
        check_expr(c, expr->args.items[i]);
    return c->types.string;
}

static Type *check_type_test(Checker *c, Expr *expr)
{
    Type *type = type_resolve(check_expr(c, expr->left));
    Decl *decl = check_find(c, SPACE_TYPE, &expr->name, "interface");
    if (type->kind != TYPE_INTERFACE && type->kind != TYPE_CLASS && type->kind != TYPE_ERROR && type->kind != TYPE_NULL)
        check_error(c, expr->left->pos, expr->left->length, "expected an object");
    if (decl && decl->kind != DECL_INTERFACE) {
        check_error(c, expr->name.pos, expr->name.length, "'%s' is not an interface", expr->name.text);
        decl = NULL;
    }
    expr->decl = decl;
    if (expr->kind == EXPR_IMPLEMENTS)
        return c->types.boolean;
    return decl ? type_make_interface(&c->types, (InterfaceDecl *)decl) : c->types.error;
}

/* ---- All of them ------------------------------------------------------------------ */

static Type *check_any(Checker *c, Expr *expr)
{
    switch ((ExprKind)expr->kind) {
    case EXPR_ERROR: return c->types.error;
    case EXPR_INT: return c->types.integer;
    case EXPR_FLOAT: return c->types.floating;
    case EXPR_STRING: return c->types.string;
    case EXPR_TEMPLATE: return check_template(c, expr);
    case EXPR_NULL: return c->types.null;
    case EXPR_THIS: return check_this(c, expr);
    case EXPR_DESTINY: return check_destiny(c, expr);
    case EXPR_VARIABLE: return check_variable(c, expr);
    case EXPR_FIELD: return check_field(c, expr);
    case EXPR_UNARY: return check_unary(c, expr);
    case EXPR_BINARY: return check_binary(c, expr);
    case EXPR_LET: return check_let(c, expr);
    case EXPR_IF: return check_if(c, expr);
    case EXPR_CASE: return check_case(c, expr);
    case EXPR_CALL:
    case EXPR_NARY:
    case EXPR_CONSTRUCT: return check_call(c, expr);
    case EXPR_LAMBDA:
        check_error(c, expr->pos, expr->length, "an anonymous function can only be passed to a second-order function");
        return c->types.error;
    case EXPR_IMPLEMENTS:
    case EXPR_AS: return check_type_test(c, expr);
    case EXPR_NEW:
    case EXPR_ASYNC:
    case EXPR_AWAIT:
    case EXPR_SYNC:
    case EXPR_GET:
    case EXPR_ORIGINAL: return check_effect_call(c, expr);
    }
    return c->types.error;
}

static bool has_effect(const Expr *expr)
{
    return expr->kind >= EXPR_NEW;
}

Type *check_expr(Checker *c, Expr *expr)
{
    if (has_effect(expr))
        check_error(c, expr->pos, expr->length,
                    c->place == PLACE_FUNCTION
                        ? "a function cannot create objects or call methods"
                        : "this cannot be part of another expression; assign its value to a variable first");
    return expr->type = check_any(c, expr);
}

Type *check_effect(Checker *c, Expr *expr)
{
    return expr->type = check_any(c, expr);
}

void check_condition(Checker *c, Expr *expr, const char *what)
{
    check_fits(c, check_expr(c, expr), c->types.boolean, expr->pos, expr->length, what);
}
