/* simplify_eq.c - equality in normal form */
#include "sym/expr/simplify_internal.h"

#include "sym/expr/op.h"

static ExprId equals_value(ExprPool *pool, ExprId a, Bits value)
{
    return expr_binary(pool, EXPR_EQ, a, expr_const(pool, expr_sort(pool, a), value));
}

/* ---- With a constant ------------------------------------------------------- */

/* The number whose product with the odd `value` is 1, modulo any power of two. */
static Bits inverse(Bits value)
{
    Bits x = value; /* correct in the lowest 3 bits; each iteration doubles them */
    for (int round = 0; round < 6; round++)
        x *= 2 - value * x;
    return x;
}

/* x * factor == value */
static ExprId product_equals(ExprPool *pool, ExprId x, Bits factor, Bits value)
{
    if (factor & 1)
        return equals_value(pool, x, value * inverse(factor));
    Bits lowest = factor & -factor;
    return value & (lowest - 1) ? expr_bool(pool, false) : EXPR_NONE;
}

/* ite(c, k, l) == value with constants k, l that differ. */
static ExprId choice_equals(ExprPool *pool, ExprId a, Bits value)
{
    Bits yes, no;
    if (!expr_is_const(pool, operand(pool, a, 1), &yes) || !expr_is_const(pool, operand(pool, a, 2), &no))
        return EXPR_NONE;
    if (value == yes)
        return operand(pool, a, 0);
    return value == no ? expr_not(pool, operand(pool, a, 0)) : expr_bool(pool, false);
}

static ExprId concat_equals(ExprPool *pool, ExprId a, Bits value)
{
    ExprId high = operand(pool, a, 0), low = operand(pool, a, 1);
    return expr_binary(pool, EXPR_AND, equals_value(pool, high, value >> expr_sort(pool, low)),
                       equals_value(pool, low, value));
}

static ExprId extended_equals(ExprPool *pool, ExprId a, Bits value)
{
    ExprId x = operand(pool, a, 0);
    Sort inner = expr_sort(pool, x);
    Bits cut = bits_cut(value, inner);
    Bits again = is_op(pool, a, EXPR_ZEXT) ? cut : bits_cut((Bits)bits_signed(cut, inner), expr_sort(pool, a));
    return again == value ? equals_value(pool, x, cut) : expr_bool(pool, false);
}

/* extract(x + c) == value, from bit 0 on. */
static ExprId low_sum_equals(ExprPool *pool, ExprId a, Bits value)
{
    ExprId x;
    Bits added;
    const ExprNode *node = expr_get(pool, a);
    if (node->word[1] != 0 || !is_op_const(pool, expr_operand(node, 0), EXPR_ADD, &x, &added))
        return EXPR_NONE;
    return equals_value(pool, expr_extract(pool, x, 0, node->sort), value - added);
}

static ExprId operation_equals(ExprPool *pool, ExprId a, Bits value)
{
    ExprId x, y;
    Bits c;
    const ExprNode *node = expr_get(pool, a);
    x = expr_operand(node, 0);
    y = expr_operand(node, 1);
    bool has_const = expr_operands((ExprOp)node->op) == 2 && expr_is_const(pool, y, &c);
    switch (node->op) {
    case EXPR_ADD: return has_const ? equals_value(pool, x, value - c) : EXPR_NONE;
    case EXPR_XOR:
        if (value == 0)
            return expr_binary(pool, EXPR_EQ, x, y);
        return has_const ? equals_value(pool, x, value ^ c) : EXPR_NONE;
    case EXPR_SUB:
        if (value == 0)
            return expr_binary(pool, EXPR_EQ, x, y);
        return expr_is_const(pool, x, &c) ? equals_value(pool, y, c - value) : EXPR_NONE;
    case EXPR_NEG: return equals_value(pool, x, -value);
    case EXPR_NOT: return equals_value(pool, x, ~value);
    case EXPR_MUL: return has_const ? product_equals(pool, x, c, value) : EXPR_NONE;
    case EXPR_AND: return has_const && (value & ~c) ? expr_bool(pool, false) : EXPR_NONE;
    case EXPR_OR: return has_const && (c & ~value) ? expr_bool(pool, false) : EXPR_NONE;
    case EXPR_ITE: return choice_equals(pool, a, value);
    case EXPR_CONCAT: return concat_equals(pool, a, value);
    case EXPR_ZEXT:
    case EXPR_SEXT: return extended_equals(pool, a, value);
    case EXPR_EXTRACT: return low_sum_equals(pool, a, value);
    default: return EXPR_NONE;
    }
}

static ExprId integer_equals(ExprPool *pool, ExprId a, Bits value)
{
    ExprId x;
    Bits inner, rest;
    if (is_op_const(pool, a, EXPR_IADD, &x, &inner))
        return op_apply(EXPR_ISUB, SORT_INT, 0, (Bits[]){value, inner, 0}, &rest) ? equals_value(pool, x, rest)
                                                                                  : EXPR_NONE;
    if (is_op_const(pool, a, EXPR_IMUL, &x, &inner) && inner != 0) {
        SignedBits v = (SignedBits)value, f = (SignedBits)inner;
        return v % f ? expr_bool(pool, false) : equals_value(pool, x, (Bits)(v / f));
    }
    if (is_op(pool, a, EXPR_INEG) && op_apply(EXPR_INEG, SORT_INT, 0, (Bits[]){value, 0, 0}, &rest))
        return equals_value(pool, operand(pool, a, 0), rest);
    if (is_op(pool, a, EXPR_ISUB) && value == 0)
        return expr_binary(pool, EXPR_EQ, operand(pool, a, 0), operand(pool, a, 1));
    return is_op(pool, a, EXPR_ITE) ? choice_equals(pool, a, value) : EXPR_NONE;
}

static ExprId bit_equals(ExprPool *pool, ExprId a, Bits value)
{
    return value ? a : expr_not(pool, a);
}

/* ---- Of two expressions ------------------------------------------------------ */

/* Both are concatenations that are cut at the same place. */
static ExprId concats_equal(ExprPool *pool, ExprId a, ExprId b)
{
    ExprId high = operand(pool, a, 0), other_high = operand(pool, b, 0);
    if (expr_sort(pool, high) != expr_sort(pool, other_high))
        return EXPR_NONE;
    return expr_binary(pool, EXPR_AND, expr_binary(pool, EXPR_EQ, high, other_high),
                       expr_binary(pool, EXPR_EQ, operand(pool, a, 1), operand(pool, b, 1)));
}

static ExprId extended_equal(ExprPool *pool, ExprId a, ExprId b)
{
    ExprId x = operand(pool, a, 0), y = operand(pool, b, 0);
    Sort sort = expr_sort(pool, x) > expr_sort(pool, y) ? expr_sort(pool, x) : expr_sort(pool, y);
    if (is_op(pool, a, EXPR_ZEXT))
        return expr_binary(pool, EXPR_EQ, expr_zext(pool, x, sort), expr_zext(pool, y, sort));
    return expr_binary(pool, EXPR_EQ, expr_sext(pool, x, sort), expr_sext(pool, y, sort));
}

/* x + y == x, in either order. */
static ExprId cancel_summand(ExprPool *pool, ExprId sum, ExprId x, ExprOp add)
{
    if (!is_op(pool, sum, add))
        return EXPR_NONE;
    if (expr_same(operand(pool, sum, 0), x))
        return equals_value(pool, operand(pool, sum, 1), 0);
    return expr_same(operand(pool, sum, 1), x) ? equals_value(pool, operand(pool, sum, 0), 0) : EXPR_NONE;
}

static ExprId sums_equal(ExprPool *pool, ExprId a, ExprId b, ExprOp add)
{
    ExprId x, y, r = cancel_summand(pool, a, b, add);
    Bits c, d;
    if (expr_is_none(r))
        r = cancel_summand(pool, b, a, add);
    if (expr_is_none(r) && is_op_const(pool, a, add, &x, &c) && is_op_const(pool, b, add, &y, &d) && c == d)
        r = expr_binary(pool, EXPR_EQ, x, y);
    return r;
}

static ExprId pair_equals(ExprPool *pool, ExprId a, ExprId b)
{
    uint8_t op = expr_get(pool, a)->op;
    ExprId r = EXPR_NONE;
    if (op == expr_get(pool, b)->op && op == EXPR_CONCAT)
        r = concats_equal(pool, a, b);
    else if (op == expr_get(pool, b)->op && (op == EXPR_ZEXT || op == EXPR_SEXT))
        r = extended_equal(pool, a, b);
    else if (op == expr_get(pool, b)->op && (op == EXPR_NOT || op == EXPR_NEG || op == EXPR_INEG))
        r = expr_binary(pool, EXPR_EQ, operand(pool, a, 0), operand(pool, b, 0));
    return expr_is_none(r) ? sums_equal(pool, a, b, expr_sort(pool, a) == SORT_INT ? EXPR_IADD : EXPR_ADD) : r;
}

ExprId simplify_eq(ExprPool *pool, ExprId a, ExprId b)
{
    Sort sort = expr_sort(pool, a);
    Bits value;
    ExprId r;
    if (expr_same(a, b))
        return expr_bool(pool, true);
    order_operands(pool, &a, &b);
    if (!expr_is_const(pool, b, &value))
        r = sort == SORT_BOOL ? expr_not(pool, expr_binary(pool, EXPR_XOR, a, b)) : pair_equals(pool, a, b);
    else if (sort == SORT_BOOL)
        r = bit_equals(pool, a, value);
    else
        r = sort == SORT_INT ? integer_equals(pool, a, value) : operation_equals(pool, a, value);
    if (expr_is_none(r))
        r = simplify_lift(pool, EXPR_EQ, 0, a, b);
    return expr_is_none(r) ? expr_intern(pool, EXPR_EQ, SORT_BOOL, a, b, EXPR_NONE) : r;
}
