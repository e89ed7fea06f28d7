/* simplify_arith.c - sums, products and quotients of bit-vectors in normal form */
#include "sym/expr/simplify_internal.h"

static ExprId add_const(ExprPool *pool, ExprId a, Bits value)
{
    return expr_binary(pool, EXPR_ADD, a, expr_const(pool, expr_sort(pool, a), value));
}

static ExprId zero_of(ExprPool *pool, ExprId like)
{
    return expr_const(pool, expr_sort(pool, like), 0);
}

/* ---- Sums -------------------------------------------------------------- */

/* a + constant. */
static ExprId simplify_add_const(ExprPool *pool, ExprId a, Bits value)
{
    ExprId x;
    Bits inner;
    if (value == 0)
        return a;
    if (is_op_const(pool, a, EXPR_ADD, &x, &inner))
        return add_const(pool, x, inner + value);
    if (is_op(pool, a, EXPR_SUB) && expr_is_const(pool, operand(pool, a, 0), &inner))
        return expr_binary(pool, EXPR_SUB, expr_const(pool, expr_sort(pool, a), inner + value), operand(pool, a, 1));
    if (value == 1 && is_op(pool, a, EXPR_NOT))
        return expr_unary(pool, EXPR_NEG, operand(pool, a, 0));
    return EXPR_NONE;
}

/* a + b where one of them contains the other with the opposite sign. */
static ExprId cancel_in_sum(ExprPool *pool, ExprId a, ExprId b)
{
    if (is_op(pool, a, EXPR_NEG))
        return expr_binary(pool, EXPR_SUB, b, operand(pool, a, 0));
    if (is_op(pool, a, EXPR_SUB) && expr_same(operand(pool, a, 1), b))
        return operand(pool, a, 0);
    return EXPR_NONE;
}

ExprId simplify_add(ExprPool *pool, ExprId a, ExprId b)
{
    if (expr_sort(pool, a) == 1)
        return expr_binary(pool, EXPR_XOR, a, b);
    order_operands(pool, &a, &b);
    Bits value;
    ExprId x, r = EXPR_NONE;
    if (expr_is_const(pool, b, &value))
        r = simplify_add_const(pool, a, value);
    else if (expr_same(a, b))
        r = expr_binary(pool, EXPR_MUL, a, expr_const(pool, expr_sort(pool, a), 2));
    else if (is_op_const(pool, a, EXPR_ADD, &x, &value))
        r = add_const(pool, expr_binary(pool, EXPR_ADD, x, b), value);
    else if (is_op_const(pool, b, EXPR_ADD, &x, &value))
        r = add_const(pool, expr_binary(pool, EXPR_ADD, a, x), value);
    if (expr_is_none(r))
        r = cancel_in_sum(pool, a, b);
    if (expr_is_none(r))
        r = cancel_in_sum(pool, b, a);
    if (expr_is_none(r))
        r = simplify_disjoint(pool, a, b);
    if (expr_is_none(r))
        r = simplify_lift(pool, EXPR_ADD, 0, a, b);
    return expr_is_none(r) ? expr_intern(pool, EXPR_ADD, expr_sort(pool, a), a, b, EXPR_NONE) : r;
}

/* a - b where both have a summand in common. */
static ExprId cancel_in_difference(ExprPool *pool, ExprId a, ExprId b)
{
    if (is_op(pool, a, EXPR_ADD) && expr_same(operand(pool, a, 0), b))
        return operand(pool, a, 1);
    if (is_op(pool, a, EXPR_ADD) && expr_same(operand(pool, a, 1), b))
        return operand(pool, a, 0);
    if (is_op(pool, b, EXPR_SUB) && expr_same(operand(pool, b, 0), a))
        return operand(pool, b, 1);
    if (is_op(pool, a, EXPR_SUB) && expr_same(operand(pool, a, 0), b))
        return expr_unary(pool, EXPR_NEG, operand(pool, a, 1));
    return EXPR_NONE;
}

ExprId simplify_sub(ExprPool *pool, ExprId a, ExprId b)
{
    Bits value;
    ExprId x, r;
    if (expr_same(a, b))
        return zero_of(pool, a);
    if (expr_sort(pool, a) == 1)
        return expr_binary(pool, EXPR_XOR, a, b);
    if (expr_is_const(pool, b, &value))
        return add_const(pool, a, -value);
    if (is_value(pool, a, 0))
        return expr_unary(pool, EXPR_NEG, b);
    if (is_op(pool, b, EXPR_NEG))
        return expr_binary(pool, EXPR_ADD, a, operand(pool, b, 0));
    r = cancel_in_difference(pool, a, b);
    if (!expr_is_none(r))
        return r;
    if (is_op_const(pool, a, EXPR_ADD, &x, &value))
        return add_const(pool, expr_binary(pool, EXPR_SUB, x, b), value);
    if (is_op_const(pool, b, EXPR_ADD, &x, &value))
        return add_const(pool, expr_binary(pool, EXPR_SUB, a, x), -value);
    r = simplify_lift(pool, EXPR_SUB, 0, a, b);
    return expr_is_none(r) ? expr_intern(pool, EXPR_SUB, expr_sort(pool, a), a, b, EXPR_NONE) : r;
}

ExprId simplify_neg(ExprPool *pool, ExprId a)
{
    Bits value;
    ExprId x;
    Sort sort = expr_sort(pool, a);
    if (sort == 1)
        return a;
    if (is_op(pool, a, EXPR_NEG))
        return operand(pool, a, 0);
    if (is_op(pool, a, EXPR_SUB))
        return expr_binary(pool, EXPR_SUB, operand(pool, a, 1), operand(pool, a, 0));
    if (is_op_const(pool, a, EXPR_ADD, &x, &value))
        return expr_binary(pool, EXPR_SUB, expr_const(pool, sort, -value), x);
    if (is_op_const(pool, a, EXPR_MUL, &x, &value))
        return expr_binary(pool, EXPR_MUL, x, expr_const(pool, sort, -value));
    ExprId r = simplify_lift(pool, EXPR_NEG, 0, a, EXPR_NONE);
    return expr_is_none(r) ? expr_intern(pool, EXPR_NEG, sort, a, EXPR_NONE, EXPR_NONE) : r;
}

/* ---- Products ---------------------------------------------------------- */

/* a * constant. */
static ExprId simplify_mul_const(ExprPool *pool, ExprId a, ExprId b, Bits value)
{
    Sort sort = expr_sort(pool, a);
    ExprId x;
    Bits inner;
    if (value == 0)
        return b;
    if (value == 1)
        return a;
    if (value == bits_mask(sort))
        return expr_unary(pool, EXPR_NEG, a);
    if (is_op_const(pool, a, EXPR_MUL, &x, &inner))
        return expr_binary(pool, EXPR_MUL, x, expr_const(pool, sort, inner * value));
    if (is_op(pool, a, EXPR_NEG))
        return expr_binary(pool, EXPR_MUL, operand(pool, a, 0), expr_const(pool, sort, -value));
    if (is_op_const(pool, a, EXPR_ADD, &x, &inner))
        return add_const(pool, expr_binary(pool, EXPR_MUL, x, b), inner * value);
    return EXPR_NONE;
}

ExprId simplify_mul(ExprPool *pool, ExprId a, ExprId b)
{
    if (expr_sort(pool, a) == 1)
        return expr_binary(pool, EXPR_AND, a, b);
    order_operands(pool, &a, &b);
    Bits value;
    ExprId r = EXPR_NONE;
    if (expr_is_const(pool, b, &value))
        r = simplify_mul_const(pool, a, b, value);
    if (expr_is_none(r))
        r = simplify_lift(pool, EXPR_MUL, 0, a, b);
    return expr_is_none(r) ? expr_intern(pool, EXPR_MUL, expr_sort(pool, a), a, b, EXPR_NONE) : r;
}

/* ---- Quotients --------------------------------------------------------- */

/* k if value is 2^k, else -1. */
static int power_of_two(Bits value)
{
    if (value == 0 || (value & (value - 1)))
        return -1;
    uint64_t high = (uint64_t)(value >> 64);
    return high ? 64 + __builtin_ctzll(high) : __builtin_ctzll((uint64_t)value);
}

static ExprId lift_or_intern(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    ExprId r = simplify_lift(pool, op, 0, a, b);
    return expr_is_none(r) ? expr_intern(pool, op, expr_sort(pool, a), a, b, EXPR_NONE) : r;
}

ExprId simplify_udiv(ExprPool *pool, ExprId a, ExprId b)
{
    Bits value;
    if (expr_is_const(pool, b, &value) && power_of_two(value) >= 0)
        return expr_binary(pool, EXPR_LSHR, a, expr_const(pool, expr_sort(pool, a), (Bits)power_of_two(value)));
    return lift_or_intern(pool, EXPR_UDIV, a, b);
}

ExprId simplify_urem(ExprPool *pool, ExprId a, ExprId b)
{
    Bits value;
    if (expr_is_const(pool, b, &value) && power_of_two(value) >= 0)
        return expr_binary(pool, EXPR_AND, a, expr_const(pool, expr_sort(pool, a), value - 1));
    return lift_or_intern(pool, EXPR_UREM, a, b);
}

ExprId simplify_sdiv(ExprPool *pool, ExprId a, ExprId b)
{
    Bits value;
    if (top_bit_is_zero(pool, a) && top_bit_is_zero(pool, b))
        return expr_binary(pool, EXPR_UDIV, a, b);
    if (expr_is_const(pool, b, &value) && value == 1)
        return a;
    if (expr_is_const(pool, b, &value) && value == bits_mask(expr_sort(pool, a)))
        return expr_unary(pool, EXPR_NEG, a);
    return lift_or_intern(pool, EXPR_SDIV, a, b);
}

ExprId simplify_srem(ExprPool *pool, ExprId a, ExprId b)
{
    Bits value;
    if (top_bit_is_zero(pool, a) && top_bit_is_zero(pool, b))
        return expr_binary(pool, EXPR_UREM, a, b);
    if (expr_is_const(pool, b, &value) && (value == 1 || value == bits_mask(expr_sort(pool, a))))
        return zero_of(pool, a);
    return lift_or_intern(pool, EXPR_SREM, a, b);
}
