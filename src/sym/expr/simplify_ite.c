/* simplify_ite.c - conditional values in normal form, and lifting them over operations */
#include "sym/expr/simplify_internal.h"

/* ---- Lifting ------------------------------------------------------------- */

/* `e` is a choice between two constants. */
static bool is_constant_choice(const ExprPool *pool, ExprId e)
{
    return is_op(pool, e, EXPR_ITE) && is_op(pool, operand(pool, e, 1), EXPR_CONST) &&
           is_op(pool, operand(pool, e, 2), EXPR_CONST);
}

static ExprId lift_pair(ExprPool *pool, ExprOp op, ExprId condition, const ExprId yes[2], const ExprId no[2])
{
    return expr_ite(pool, condition, expr_binary(pool, op, yes[0], yes[1]), expr_binary(pool, op, no[0], no[1]));
}

static ExprId lift_one(ExprPool *pool, ExprOp op, Sort sort, ExprId a, ExprId b)
{
    ExprId yes = expr_make(pool, op, sort, operand(pool, a, 1), b, EXPR_NONE);
    ExprId no = expr_make(pool, op, sort, operand(pool, a, 2), b, EXPR_NONE);
    return expr_ite(pool, operand(pool, a, 0), yes, no);
}

ExprId simplify_lift(ExprPool *pool, ExprOp op, Sort sort, ExprId a, ExprId b)
{
    bool choice = is_constant_choice(pool, a);
    if (op == EXPR_EXTRACT || expr_is_none(b))
        return choice ? lift_one(pool, op, sort, a, b) : EXPR_NONE;
    if (choice && is_op(pool, b, EXPR_CONST))
        return lift_one(pool, op, sort, a, b);
    if (!is_constant_choice(pool, b))
        return EXPR_NONE;
    ExprId yes = operand(pool, b, 1), no = operand(pool, b, 2);
    if (is_op(pool, a, EXPR_CONST))
        return lift_pair(pool, op, operand(pool, b, 0), (ExprId[]){a, yes}, (ExprId[]){a, no});
    if (choice && expr_same(operand(pool, a, 0), operand(pool, b, 0)))
        return lift_pair(pool, op, operand(pool, b, 0), (ExprId[]){operand(pool, a, 1), yes},
                         (ExprId[]){operand(pool, a, 2), no});
    return EXPR_NONE;
}

/* ---- Conditional values --------------------------------------------------- */

static ExprId simplify_boolean_ite(ExprPool *pool, ExprId c, ExprId yes, ExprId no)
{
    if (expr_is_true(pool, yes))
        return expr_binary(pool, EXPR_OR, c, no);
    if (expr_is_false(pool, yes))
        return expr_binary(pool, EXPR_AND, expr_not(pool, c), no);
    if (expr_is_true(pool, no))
        return expr_binary(pool, EXPR_OR, expr_not(pool, c), yes);
    if (expr_is_false(pool, no))
        return expr_binary(pool, EXPR_AND, c, yes);
    return EXPR_NONE;
}

/* The condition is `yes == no` or implies it: both branches are the same value. */
static bool tests_own_branches(const ExprPool *pool, ExprId c, ExprId yes, ExprId no)
{
    if (!is_op(pool, c, EXPR_EQ))
        return false;
    ExprId x = operand(pool, c, 0), y = operand(pool, c, 1);
    return (expr_same(x, yes) && expr_same(y, no)) || (expr_same(x, no) && expr_same(y, yes));
}

ExprId simplify_ite(ExprPool *pool, ExprId c, ExprId yes, ExprId no)
{
    Sort sort = expr_sort(pool, yes);
    if (expr_same(yes, no) || expr_is_true(pool, c))
        return yes;
    if (expr_is_false(pool, c) || tests_own_branches(pool, c, yes, no))
        return no;
    if (is_op(pool, c, EXPR_NOT))
        return expr_ite(pool, operand(pool, c, 0), no, yes);
    if (is_op(pool, yes, EXPR_ITE) && expr_same(operand(pool, yes, 0), c))
        return expr_ite(pool, c, operand(pool, yes, 1), no);
    if (is_op(pool, no, EXPR_ITE) && expr_same(operand(pool, no, 0), c))
        return expr_ite(pool, c, yes, operand(pool, no, 2));
    ExprId r = sort == SORT_BOOL ? simplify_boolean_ite(pool, c, yes, no) : EXPR_NONE;
    if (!expr_is_none(r))
        return r;
    if (sort > 1 && is_value(pool, yes, 1) && is_value(pool, no, 0))
        return expr_zext(pool, c, sort);
    if (sort > 1 && is_value(pool, yes, 0) && is_value(pool, no, 1))
        return expr_zext(pool, expr_not(pool, c), sort);
    return expr_intern(pool, EXPR_ITE, sort, c, yes, no);
}
