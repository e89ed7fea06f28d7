/* simplify_int.c - unbounded integers in normal form
 *
 * Constants are folded as long as they fit 128 bits; a larger one stays unfolded.
 */
#include "sym/expr/simplify_internal.h"

#include "sym/expr/op.h"

/* op of two constants, or none if it does not fit. */
static ExprId combine(ExprPool *pool, ExprOp op, Bits a, Bits b)
{
    Bits value, operands[3] = {a, b, 0};
    return op_apply(op, SORT_INT, 0, operands, &value) ? expr_const(pool, SORT_INT, value) : EXPR_NONE;
}

static ExprId intern_int(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    return expr_intern(pool, op, op == EXPR_ILT || op == EXPR_ILE ? SORT_BOOL : SORT_INT, a, b, EXPR_NONE);
}

/* ---- Sums ----------------------------------------------------------------- */

/* x op (y + k), or none. */
static ExprId hoist_constant(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    ExprId x;
    Bits value;
    if (is_op_const(pool, a, EXPR_IADD, &x, &value))
        return expr_binary(pool, EXPR_IADD, expr_binary(pool, op, x, b), expr_const(pool, SORT_INT, value));
    if (!is_op_const(pool, b, EXPR_IADD, &x, &value))
        return EXPR_NONE;
    ExprId constant = op == EXPR_IADD ? expr_const(pool, SORT_INT, value) : combine(pool, EXPR_INEG, value, 0);
    return expr_is_none(constant) ? constant
                                  : expr_binary(pool, EXPR_IADD, expr_binary(pool, op, a, x), constant);
}

ExprId simplify_iadd(ExprPool *pool, ExprId a, ExprId b)
{
    order_operands(pool, &a, &b);
    ExprId x, r = EXPR_NONE;
    Bits value, inner;
    if (expr_is_const(pool, b, &value)) {
        if (value == 0)
            return a;
        if (is_op_const(pool, a, EXPR_IADD, &x, &inner)) {
            r = combine(pool, EXPR_IADD, inner, value);
            r = expr_is_none(r) ? r : expr_binary(pool, EXPR_IADD, x, r);
        }
    } else if (is_op(pool, a, EXPR_INEG)) {
        r = expr_binary(pool, EXPR_ISUB, b, operand(pool, a, 0));
    } else if (is_op(pool, b, EXPR_INEG)) {
        r = expr_binary(pool, EXPR_ISUB, a, operand(pool, b, 0));
    } else if (is_op(pool, a, EXPR_ISUB) && expr_same(operand(pool, a, 1), b)) {
        r = operand(pool, a, 0);
    } else if (is_op(pool, b, EXPR_ISUB) && expr_same(operand(pool, b, 1), a)) {
        r = operand(pool, b, 0);
    } else if (expr_same(a, b)) {
        r = expr_binary(pool, EXPR_IMUL, a, expr_int(pool, 2));
    } else {
        r = hoist_constant(pool, EXPR_IADD, a, b);
    }
    if (expr_is_none(r))
        r = simplify_lift(pool, EXPR_IADD, 0, a, b);
    return expr_is_none(r) ? intern_int(pool, EXPR_IADD, a, b) : r;
}

ExprId simplify_isub(ExprPool *pool, ExprId a, ExprId b)
{
    Bits value;
    ExprId r = EXPR_NONE;
    if (expr_same(a, b))
        return expr_int(pool, 0);
    if (is_value(pool, a, 0))
        return expr_unary(pool, EXPR_INEG, b);
    if (is_op(pool, b, EXPR_INEG))
        return expr_binary(pool, EXPR_IADD, a, operand(pool, b, 0));
    if (is_op(pool, a, EXPR_IADD) && expr_same(operand(pool, a, 0), b))
        return operand(pool, a, 1);
    if (is_op(pool, a, EXPR_IADD) && expr_same(operand(pool, a, 1), b))
        return operand(pool, a, 0);
    if (expr_is_const(pool, b, &value)) {
        r = combine(pool, EXPR_INEG, value, 0);
        r = expr_is_none(r) ? r : expr_binary(pool, EXPR_IADD, a, r);
    } else {
        r = hoist_constant(pool, EXPR_ISUB, a, b);
    }
    if (expr_is_none(r))
        r = simplify_lift(pool, EXPR_ISUB, 0, a, b);
    return expr_is_none(r) ? intern_int(pool, EXPR_ISUB, a, b) : r;
}

ExprId simplify_ineg(ExprPool *pool, ExprId a)
{
    if (is_op(pool, a, EXPR_INEG))
        return operand(pool, a, 0);
    if (is_op(pool, a, EXPR_ISUB))
        return expr_binary(pool, EXPR_ISUB, operand(pool, a, 1), operand(pool, a, 0));
    ExprId r = simplify_lift(pool, EXPR_INEG, 0, a, EXPR_NONE);
    return expr_is_none(r) ? intern_int(pool, EXPR_INEG, a, EXPR_NONE) : r;
}

/* ---- Products and quotients ------------------------------------------------ */

ExprId simplify_imul(ExprPool *pool, ExprId a, ExprId b)
{
    order_operands(pool, &a, &b);
    ExprId x, r = EXPR_NONE;
    Bits value, inner;
    if (expr_is_const(pool, b, &value)) {
        if (value == 0)
            return b;
        if (value == 1)
            return a;
        if (value == ~(Bits)0)
            return expr_unary(pool, EXPR_INEG, a);
        if (is_op_const(pool, a, EXPR_IMUL, &x, &inner)) {
            r = combine(pool, EXPR_IMUL, inner, value);
            r = expr_is_none(r) ? r : expr_binary(pool, EXPR_IMUL, x, r);
        }
    }
    if (expr_is_none(r))
        r = simplify_lift(pool, EXPR_IMUL, 0, a, b);
    return expr_is_none(r) ? intern_int(pool, EXPR_IMUL, a, b) : r;
}

ExprId simplify_idivision(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    bool rest = op == EXPR_IREM || op == EXPR_IMOD;
    if (is_value(pool, b, 1))
        return rest ? expr_int(pool, 0) : a;
    if (is_value(pool, b, ~(Bits)0))
        return rest ? expr_int(pool, 0) : expr_unary(pool, EXPR_INEG, a);
    ExprId r = simplify_lift(pool, op, 0, a, b);
    return expr_is_none(r) ? intern_int(pool, op, a, b) : r;
}

/* ---- Comparisons ------------------------------------------------------------ */

/* x + k < c as x < c - k, and the same for c < x + k; else none. */
static ExprId move_constant(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    ExprId x, r;
    Bits inner, value;
    if (is_op_const(pool, a, EXPR_IADD, &x, &inner) && expr_is_const(pool, b, &value)) {
        r = combine(pool, EXPR_ISUB, value, inner);
        return expr_is_none(r) ? r : expr_binary(pool, op, x, r);
    }
    if (expr_is_const(pool, a, &value) && is_op_const(pool, b, EXPR_IADD, &x, &inner)) {
        r = combine(pool, EXPR_ISUB, value, inner);
        return expr_is_none(r) ? r : expr_binary(pool, op, r, x);
    }
    return EXPR_NONE;
}

/* x - y < 0 as x < y and the like; else none. */
static ExprId open_difference(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    if (is_op(pool, a, EXPR_ISUB) && is_value(pool, b, 0))
        return expr_binary(pool, op, operand(pool, a, 0), operand(pool, a, 1));
    if (is_value(pool, a, 0) && is_op(pool, b, EXPR_ISUB))
        return expr_binary(pool, op, operand(pool, b, 1), operand(pool, b, 0));
    return EXPR_NONE;
}

static ExprId simplify_order(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    ExprId r = move_constant(pool, op, a, b);
    if (expr_is_none(r))
        r = open_difference(pool, op, a, b);
    if (expr_is_none(r))
        r = simplify_lift(pool, op, 0, a, b);
    return expr_is_none(r) ? intern_int(pool, op, a, b) : r;
}

ExprId simplify_ilt(ExprPool *pool, ExprId a, ExprId b)
{
    if (expr_same(a, b))
        return expr_bool(pool, false);
    if (is_op(pool, a, EXPR_ISUB) && is_value(pool, b, 1))
        return expr_binary(pool, EXPR_ILE, operand(pool, a, 0), operand(pool, a, 1));
    if (is_value(pool, a, ~(Bits)0) && is_op(pool, b, EXPR_ISUB))
        return expr_binary(pool, EXPR_ILE, operand(pool, b, 1), operand(pool, b, 0));
    return simplify_order(pool, EXPR_ILT, a, b);
}

ExprId simplify_ile(ExprPool *pool, ExprId a, ExprId b)
{
    Bits value;
    ExprId next;
    if (expr_same(a, b))
        return expr_bool(pool, true);
    /* x - y <= 0 is opened before it becomes x - y < 1. */
    next = open_difference(pool, EXPR_ILE, a, b);
    if (!expr_is_none(next))
        return next;
    if (expr_is_const(pool, b, &value)) {
        next = combine(pool, EXPR_IADD, value, 1);
        if (!expr_is_none(next))
            return expr_binary(pool, EXPR_ILT, a, next);
    }
    if (expr_is_const(pool, a, &value)) {
        next = combine(pool, EXPR_ISUB, value, 1);
        if (!expr_is_none(next))
            return expr_binary(pool, EXPR_ILT, next, b);
    }
    return simplify_order(pool, EXPR_ILE, a, b);
}
