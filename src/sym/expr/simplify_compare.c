/* simplify_compare.c - unsigned and signed comparisons in normal form */
#include "sym/expr/simplify_internal.h"

static ExprId intern_order(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    ExprId r = simplify_lift(pool, op, 0, a, b);
    return expr_is_none(r) ? expr_intern(pool, op, SORT_BOOL, a, b, EXPR_NONE) : r;
}

static ExprId equals_value(ExprPool *pool, ExprId a, Bits value)
{
    return expr_binary(pool, EXPR_EQ, a, expr_const(pool, expr_sort(pool, a), value));
}

static ExprId differs_from_value(ExprPool *pool, ExprId a, Bits value)
{
    return expr_not(pool, equals_value(pool, a, value));
}

/* ---- Extended operands --------------------------------------------------- */

static Sort larger_inner_sort(const ExprPool *pool, ExprId a, ExprId b)
{
    Sort x = expr_sort(pool, operand(pool, a, 0)), y = expr_sort(pool, operand(pool, b, 0));
    return x > y ? x : y;
}

/* Both are extended in the same way: compares before the extension. Extending keeps the
 * unsigned order, and sign extension the signed one too; for the signed order of zero
 * extensions the caller passes the unsigned `op`. */
static ExprId compare_inner(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    Sort sort = larger_inner_sort(pool, a, b);
    ExprId x = operand(pool, a, 0), y = operand(pool, b, 0);
    if (is_op(pool, a, EXPR_ZEXT))
        return expr_binary(pool, op, expr_zext(pool, x, sort), expr_zext(pool, y, sort));
    return expr_binary(pool, op, expr_sext(pool, x, sort), expr_sext(pool, y, sort));
}

static bool are_both(const ExprPool *pool, ExprId a, ExprId b, ExprOp op)
{
    return is_op(pool, a, op) && is_op(pool, b, op);
}

/* ---- Unsigned ------------------------------------------------------------- */

/* a < value */
static ExprId below(ExprPool *pool, ExprId a, ExprId b, Bits value)
{
    Bits most = bits_mask(expr_sort(pool, a));
    if (value == 0)
        return expr_bool(pool, false);
    if (value == 1)
        return equals_value(pool, a, 0);
    if (value == most)
        return differs_from_value(pool, a, most);
    if (is_op(pool, a, EXPR_ZEXT)) {
        ExprId x = operand(pool, a, 0);
        if (value > bits_mask(expr_sort(pool, x)))
            return expr_bool(pool, true);
        return expr_binary(pool, EXPR_ULT, x, expr_const(pool, expr_sort(pool, x), value));
    }
    return intern_order(pool, EXPR_ULT, a, b);
}

/* value < b */
static ExprId above(ExprPool *pool, ExprId a, Bits value, ExprId b)
{
    Bits most = bits_mask(expr_sort(pool, b));
    if (value == most)
        return expr_bool(pool, false);
    if (value == most - 1)
        return equals_value(pool, b, most);
    if (value == 0)
        return differs_from_value(pool, b, 0);
    if (is_op(pool, b, EXPR_ZEXT)) {
        ExprId x = operand(pool, b, 0);
        if (value >= bits_mask(expr_sort(pool, x)))
            return expr_bool(pool, false);
        return expr_binary(pool, EXPR_ULT, expr_const(pool, expr_sort(pool, x), value), x);
    }
    return intern_order(pool, EXPR_ULT, a, b);
}

ExprId simplify_ult(ExprPool *pool, ExprId a, ExprId b)
{
    Bits value;
    if (expr_same(a, b))
        return expr_bool(pool, false);
    if (expr_sort(pool, a) == 1)
        return expr_binary(pool, EXPR_AND, expr_not(pool, a), b);
    if (expr_is_const(pool, b, &value))
        return below(pool, a, b, value);
    if (expr_is_const(pool, a, &value))
        return above(pool, a, value, b);
    if (are_both(pool, a, b, EXPR_ZEXT) || are_both(pool, a, b, EXPR_SEXT))
        return compare_inner(pool, EXPR_ULT, a, b);
    return intern_order(pool, EXPR_ULT, a, b);
}

ExprId simplify_ule(ExprPool *pool, ExprId a, ExprId b)
{
    Sort sort = expr_sort(pool, a);
    Bits value;
    if (expr_same(a, b))
        return expr_bool(pool, true);
    if (sort == 1)
        return expr_binary(pool, EXPR_OR, expr_not(pool, a), b);
    if (expr_is_const(pool, b, &value))
        return value == bits_mask(sort) ? expr_bool(pool, true)
                                        : expr_binary(pool, EXPR_ULT, a, expr_const(pool, sort, value + 1));
    if (expr_is_const(pool, a, &value))
        return value == 0 ? expr_bool(pool, true)
                          : expr_binary(pool, EXPR_ULT, expr_const(pool, sort, value - 1), b);
    if (are_both(pool, a, b, EXPR_ZEXT) || are_both(pool, a, b, EXPR_SEXT))
        return compare_inner(pool, EXPR_ULE, a, b);
    return intern_order(pool, EXPR_ULE, a, b);
}

/* ---- Signed ---------------------------------------------------------------- */

static SignedBits smallest(Sort sort)
{
    return -(SignedBits)(bits_mask(sort) >> 1) - 1;
}

static SignedBits largest(Sort sort)
{
    return (SignedBits)(bits_mask(sort) >> 1);
}

/* Both operands of the difference are extended alike, so that it cannot overflow. */
static bool is_exact_difference(const ExprPool *pool, ExprId e)
{
    if (!is_op(pool, e, EXPR_SUB))
        return false;
    ExprId x = operand(pool, e, 0), y = operand(pool, e, 1);
    return (top_bit_is_zero(pool, x) && top_bit_is_zero(pool, y)) || are_both(pool, x, y, EXPR_SEXT);
}

/* sext(x) < value: in the width of x. */
static ExprId below_inner(ExprPool *pool, ExprId x, SignedBits value)
{
    Sort sort = expr_sort(pool, x);
    if (value > largest(sort))
        return expr_bool(pool, true);
    if (value <= smallest(sort))
        return expr_bool(pool, false);
    return expr_binary(pool, EXPR_SLT, x, expr_const(pool, sort, (Bits)value));
}

/* value < sext(x): in the width of x. */
static ExprId above_inner(ExprPool *pool, SignedBits value, ExprId x)
{
    Sort sort = expr_sort(pool, x);
    if (value < smallest(sort))
        return expr_bool(pool, true);
    if (value >= largest(sort))
        return expr_bool(pool, false);
    return expr_binary(pool, EXPR_SLT, expr_const(pool, sort, (Bits)value), x);
}

/* a < value */
static ExprId signed_below(ExprPool *pool, ExprId a, ExprId b, Bits bits)
{
    Sort sort = expr_sort(pool, a);
    SignedBits value = bits_signed(bits, sort);
    if (value == smallest(sort))
        return expr_bool(pool, false);
    if (value == smallest(sort) + 1)
        return equals_value(pool, a, (Bits)smallest(sort));
    if (value == largest(sort))
        return differs_from_value(pool, a, (Bits)largest(sort));
    if (is_op(pool, a, EXPR_SEXT))
        return below_inner(pool, operand(pool, a, 0), value);
    if (top_bit_is_zero(pool, a))
        return value <= 0 ? expr_bool(pool, false) : expr_binary(pool, EXPR_ULT, a, b);
    if (value == 0 && is_exact_difference(pool, a))
        return expr_binary(pool, EXPR_SLT, operand(pool, a, 0), operand(pool, a, 1));
    if (value == 1 && is_exact_difference(pool, a))
        return expr_binary(pool, EXPR_SLE, operand(pool, a, 0), operand(pool, a, 1));
    return intern_order(pool, EXPR_SLT, a, b);
}

/* value < b */
static ExprId signed_above(ExprPool *pool, ExprId a, Bits bits, ExprId b)
{
    Sort sort = expr_sort(pool, b);
    SignedBits value = bits_signed(bits, sort);
    if (value == largest(sort))
        return expr_bool(pool, false);
    if (value == largest(sort) - 1)
        return equals_value(pool, b, (Bits)largest(sort));
    if (value == smallest(sort))
        return differs_from_value(pool, b, bits);
    if (is_op(pool, b, EXPR_SEXT))
        return above_inner(pool, value, operand(pool, b, 0));
    if (top_bit_is_zero(pool, b))
        return value < 0 ? expr_bool(pool, true) : expr_binary(pool, EXPR_ULT, a, b);
    if (value == 0 && is_exact_difference(pool, b))
        return expr_binary(pool, EXPR_SLT, operand(pool, b, 1), operand(pool, b, 0));
    if (value == -1 && is_exact_difference(pool, b))
        return expr_binary(pool, EXPR_SLE, operand(pool, b, 1), operand(pool, b, 0));
    return intern_order(pool, EXPR_SLT, a, b);
}

/* One operand is zero extended and the other sign extended: compares in the smallest
 * width that holds both; none if that is not smaller. */
static ExprId compare_mixed(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    bool mixed = (is_op(pool, a, EXPR_ZEXT) && is_op(pool, b, EXPR_SEXT)) ||
                 (is_op(pool, a, EXPR_SEXT) && is_op(pool, b, EXPR_ZEXT));
    if (!mixed)
        return EXPR_NONE;
    ExprId x = operand(pool, a, 0), y = operand(pool, b, 0);
    unsigned wx = expr_sort(pool, x) + is_op(pool, a, EXPR_ZEXT), wy = expr_sort(pool, y) + is_op(pool, b, EXPR_ZEXT);
    Sort sort = (Sort)(wx > wy ? wx : wy);
    if (sort >= expr_sort(pool, a))
        return EXPR_NONE;
    x = is_op(pool, a, EXPR_ZEXT) ? expr_zext(pool, x, sort) : expr_sext(pool, x, sort);
    y = is_op(pool, b, EXPR_ZEXT) ? expr_zext(pool, y, sort) : expr_sext(pool, y, sort);
    return expr_binary(pool, op, x, y);
}

ExprId simplify_slt(ExprPool *pool, ExprId a, ExprId b)
{
    Bits value;
    ExprId r;
    if (expr_same(a, b))
        return expr_bool(pool, false);
    if (expr_sort(pool, a) == 1)
        return expr_binary(pool, EXPR_AND, a, expr_not(pool, b));
    if (expr_is_const(pool, b, &value))
        return signed_below(pool, a, b, value);
    if (expr_is_const(pool, a, &value))
        return signed_above(pool, a, value, b);
    if (top_bit_is_zero(pool, a) && top_bit_is_zero(pool, b))
        return expr_binary(pool, EXPR_ULT, a, b);
    if (are_both(pool, a, b, EXPR_SEXT))
        return compare_inner(pool, EXPR_SLT, a, b);
    r = compare_mixed(pool, EXPR_SLT, a, b);
    return expr_is_none(r) ? intern_order(pool, EXPR_SLT, a, b) : r;
}

ExprId simplify_sle(ExprPool *pool, ExprId a, ExprId b)
{
    Sort sort = expr_sort(pool, a);
    Bits value;
    ExprId r;
    if (expr_same(a, b))
        return expr_bool(pool, true);
    if (sort == 1)
        return expr_binary(pool, EXPR_OR, a, expr_not(pool, b));
    if (expr_is_const(pool, b, &value))
        return bits_signed(value, sort) == largest(sort)
                   ? expr_bool(pool, true)
                   : expr_binary(pool, EXPR_SLT, a, expr_const(pool, sort, value + 1));
    if (expr_is_const(pool, a, &value))
        return bits_signed(value, sort) == smallest(sort)
                   ? expr_bool(pool, true)
                   : expr_binary(pool, EXPR_SLT, expr_const(pool, sort, value - 1), b);
    if (top_bit_is_zero(pool, a) && top_bit_is_zero(pool, b))
        return expr_binary(pool, EXPR_ULE, a, b);
    if (are_both(pool, a, b, EXPR_SEXT))
        return compare_inner(pool, EXPR_SLE, a, b);
    r = compare_mixed(pool, EXPR_SLE, a, b);
    return expr_is_none(r) ? intern_order(pool, EXPR_SLE, a, b) : r;
}
