/* simplify_bits.c - bitwise operations and shifts in normal form */
#include "sym/expr/simplify_internal.h"

static ExprId same_sort_const(ExprPool *pool, ExprId like, Bits value)
{
    return expr_const(pool, expr_sort(pool, like), value);
}

static bool is_all_ones(const ExprPool *pool, ExprId e, Bits value)
{
    return value == bits_mask(expr_sort(pool, e));
}

static ExprId lift_or_intern(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    ExprId r = simplify_lift(pool, op, 0, a, b);
    return expr_is_none(r) ? expr_intern(pool, op, expr_sort(pool, a), a, b, EXPR_NONE) : r;
}

/* ---- Parts -------------------------------------------------------------- */

/* (high ++ low) op constant, part by part. */
static ExprId split_concat(ExprPool *pool, ExprOp op, ExprId a, Bits value)
{
    ExprId high = operand(pool, a, 0), low = operand(pool, a, 1);
    Sort low_sort = expr_sort(pool, low);
    high = expr_binary(pool, op, high, same_sort_const(pool, high, value >> low_sort));
    low = expr_binary(pool, op, low, same_sort_const(pool, low, value));
    return expr_concat(pool, high, low);
}

/* zext(x) op zext(y) in the larger of their widths; for operations that map 0, 0 to 0. */
static ExprId narrow_zexts(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    ExprId x = operand(pool, a, 0), y = operand(pool, b, 0);
    Sort sort = expr_sort(pool, x) > expr_sort(pool, y) ? expr_sort(pool, x) : expr_sort(pool, y);
    ExprId inner = expr_binary(pool, op, expr_zext(pool, x, sort), expr_zext(pool, y, sort));
    return expr_zext(pool, inner, expr_sort(pool, a));
}

/* a is x ++ 0 and b is zext(y) with y below x. */
static ExprId fill_low_part(ExprPool *pool, ExprId a, ExprId b)
{
    if (!is_op(pool, a, EXPR_CONCAT) || !is_op(pool, b, EXPR_ZEXT))
        return EXPR_NONE;
    ExprId low = operand(pool, a, 1), y = operand(pool, b, 0);
    if (!is_value(pool, low, 0) || expr_sort(pool, y) > expr_sort(pool, low))
        return EXPR_NONE;
    return expr_concat(pool, operand(pool, a, 0), expr_zext(pool, y, expr_sort(pool, low)));
}

ExprId simplify_disjoint(ExprPool *pool, ExprId a, ExprId b)
{
    ExprId r = fill_low_part(pool, a, b);
    if (expr_is_none(r))
        r = fill_low_part(pool, b, a);
    if (!expr_is_none(r) || !is_op(pool, a, EXPR_ZEXT) || !is_op(pool, b, EXPR_ZEXT))
        return r;
    /* Both are extended: look whether they are disjoint in the larger inner width. */
    ExprId x = operand(pool, a, 0), y = operand(pool, b, 0);
    if (expr_sort(pool, x) > expr_sort(pool, y))
        r = fill_low_part(pool, x, expr_zext(pool, y, expr_sort(pool, x)));
    else if (expr_sort(pool, x) < expr_sort(pool, y))
        r = fill_low_part(pool, y, expr_zext(pool, x, expr_sort(pool, y)));
    return expr_is_none(r) ? r : expr_zext(pool, r, expr_sort(pool, a));
}

/* ---- And ---------------------------------------------------------------- */

static unsigned highest_bit(Bits value)
{
    uint64_t high = (uint64_t)(value >> 64);
    return high ? 127u - (unsigned)__builtin_clzll(high) : 63u - (unsigned)__builtin_clzll((uint64_t)value);
}

static unsigned lowest_bit(Bits value)
{
    uint64_t low = (uint64_t)value;
    return low ? (unsigned)__builtin_ctzll(low) : 64u + (unsigned)__builtin_ctzll((uint64_t)(value >> 64));
}

/* a & mask, where the mask is neither 0 nor all ones: cuts off what is always zero. */
static ExprId simplify_mask(ExprPool *pool, ExprId a, Bits mask)
{
    Sort sort = expr_sort(pool, a);
    unsigned top = highest_bit(mask), bottom = lowest_bit(mask);
    if (top + 1 < sort) {
        ExprId low = expr_extract(pool, a, 0, (Sort)(top + 1));
        return expr_zext(pool, expr_binary(pool, EXPR_AND, low, same_sort_const(pool, low, mask)), sort);
    }
    if (bottom > 0) {
        ExprId high = expr_extract(pool, a, bottom, (Sort)(sort - bottom));
        high = expr_binary(pool, EXPR_AND, high, same_sort_const(pool, high, mask >> bottom));
        return expr_concat(pool, high, expr_const(pool, (Sort)bottom, 0));
    }
    if (is_op(pool, a, EXPR_CONCAT))
        return split_concat(pool, EXPR_AND, a, mask);
    return EXPR_NONE;
}

static ExprId simplify_and_const(ExprPool *pool, ExprId a, ExprId b, Bits value)
{
    ExprId x;
    Bits inner;
    if (value == 0)
        return b;
    if (is_all_ones(pool, a, value))
        return a;
    if (is_op_const(pool, a, EXPR_AND, &x, &inner))
        return expr_binary(pool, EXPR_AND, x, same_sort_const(pool, a, inner & value));
    return simplify_mask(pool, a, value);
}

/* One of a, b is `op` of the other and something else. */
static bool absorbs(const ExprPool *pool, ExprId a, ExprId b, ExprOp op)
{
    return is_op(pool, b, op) && (expr_same(operand(pool, b, 0), a) || expr_same(operand(pool, b, 1), a));
}

ExprId simplify_and(ExprPool *pool, ExprId a, ExprId b)
{
    order_operands(pool, &a, &b);
    Bits value;
    ExprId r = EXPR_NONE;
    if (expr_same(a, b) || absorbs(pool, a, b, EXPR_OR) || absorbs(pool, b, a, EXPR_AND))
        return a;
    if (absorbs(pool, b, a, EXPR_OR) || absorbs(pool, a, b, EXPR_AND))
        return b;
    if (are_complements(pool, a, b))
        return same_sort_const(pool, a, 0);
    if (expr_is_const(pool, b, &value))
        r = simplify_and_const(pool, a, b, value);
    else if (is_op(pool, a, EXPR_ZEXT) && is_op(pool, b, EXPR_ZEXT))
        r = narrow_zexts(pool, EXPR_AND, a, b);
    return expr_is_none(r) ? lift_or_intern(pool, EXPR_AND, a, b) : r;
}

/* ---- Or ----------------------------------------------------------------- */

static ExprId simplify_or_const(ExprPool *pool, ExprId a, ExprId b, Bits value)
{
    ExprId x;
    Bits inner;
    if (value == 0)
        return a;
    if (is_all_ones(pool, a, value))
        return b;
    if (is_op_const(pool, a, EXPR_OR, &x, &inner))
        return expr_binary(pool, EXPR_OR, x, same_sort_const(pool, a, inner | value));
    if (is_op(pool, a, EXPR_CONCAT))
        return split_concat(pool, EXPR_OR, a, value);
    if (is_op(pool, a, EXPR_ZEXT)) {
        x = operand(pool, a, 0);
        Sort inner_sort = expr_sort(pool, x);
        ExprId high = expr_const(pool, (Sort)(expr_sort(pool, a) - inner_sort), value >> inner_sort);
        return expr_concat(pool, high, expr_binary(pool, EXPR_OR, x, same_sort_const(pool, x, value)));
    }
    return EXPR_NONE;
}

ExprId simplify_or(ExprPool *pool, ExprId a, ExprId b)
{
    order_operands(pool, &a, &b);
    Bits value;
    ExprId r = EXPR_NONE;
    if (expr_same(a, b) || absorbs(pool, a, b, EXPR_AND) || absorbs(pool, b, a, EXPR_OR))
        return a;
    if (absorbs(pool, b, a, EXPR_AND) || absorbs(pool, a, b, EXPR_OR))
        return b;
    if (are_complements(pool, a, b))
        return same_sort_const(pool, a, ~(Bits)0);
    if (expr_is_const(pool, b, &value))
        r = simplify_or_const(pool, a, b, value);
    else
        r = simplify_disjoint(pool, a, b);
    if (expr_is_none(r) && is_op(pool, a, EXPR_ZEXT) && is_op(pool, b, EXPR_ZEXT))
        r = narrow_zexts(pool, EXPR_OR, a, b);
    return expr_is_none(r) ? lift_or_intern(pool, EXPR_OR, a, b) : r;
}

/* ---- Xor, not ------------------------------------------------------------ */

static ExprId simplify_xor_const(ExprPool *pool, ExprId a, Bits value)
{
    ExprId x;
    Bits inner;
    if (value == 0)
        return a;
    if (is_all_ones(pool, a, value))
        return expr_not(pool, a);
    if (is_op_const(pool, a, EXPR_XOR, &x, &inner))
        return expr_binary(pool, EXPR_XOR, x, same_sort_const(pool, a, inner ^ value));
    if (is_op(pool, a, EXPR_NOT))
        return expr_binary(pool, EXPR_XOR, operand(pool, a, 0), same_sort_const(pool, a, ~value));
    return EXPR_NONE;
}

ExprId simplify_xor(ExprPool *pool, ExprId a, ExprId b)
{
    order_operands(pool, &a, &b);
    Bits value;
    ExprId r = EXPR_NONE;
    if (expr_same(a, b))
        return same_sort_const(pool, a, 0);
    if (are_complements(pool, a, b))
        return same_sort_const(pool, a, ~(Bits)0);
    if (expr_is_const(pool, b, &value))
        r = simplify_xor_const(pool, a, value);
    else if (is_op(pool, a, EXPR_NOT))
        r = expr_not(pool, expr_binary(pool, EXPR_XOR, operand(pool, a, 0), b));
    else if (is_op(pool, b, EXPR_NOT))
        r = expr_not(pool, expr_binary(pool, EXPR_XOR, a, operand(pool, b, 0)));
    else
        r = simplify_disjoint(pool, a, b);
    return expr_is_none(r) ? lift_or_intern(pool, EXPR_XOR, a, b) : r;
}

/* The comparison that holds when this one does not, or none. */
static ExprId negate_comparison(ExprPool *pool, ExprId a)
{
    ExprId x = operand(pool, a, 0), y = operand(pool, a, 1);
    switch (expr_get(pool, a)->op) {
    case EXPR_ULT: return expr_binary(pool, EXPR_ULE, y, x);
    case EXPR_ULE: return expr_binary(pool, EXPR_ULT, y, x);
    case EXPR_SLT: return expr_binary(pool, EXPR_SLE, y, x);
    case EXPR_SLE: return expr_binary(pool, EXPR_SLT, y, x);
    case EXPR_ILT: return expr_binary(pool, EXPR_ILE, y, x);
    case EXPR_ILE: return expr_binary(pool, EXPR_ILT, y, x);
    default: return EXPR_NONE;
    }
}

ExprId simplify_not(ExprPool *pool, ExprId a)
{
    if (is_op(pool, a, EXPR_NOT))
        return operand(pool, a, 0);
    ExprId r = negate_comparison(pool, a);
    if (expr_is_none(r))
        r = simplify_lift(pool, EXPR_NOT, 0, a, EXPR_NONE);
    return expr_is_none(r) ? expr_intern(pool, EXPR_NOT, expr_sort(pool, a), a, EXPR_NONE, EXPR_NONE) : r;
}

/* ---- Shifts -------------------------------------------------------------- */

ExprId simplify_shl(ExprPool *pool, ExprId a, ExprId b)
{
    Sort sort = expr_sort(pool, a);
    Bits by;
    if (is_value(pool, a, 0))
        return a;
    if (!expr_is_const(pool, b, &by))
        return lift_or_intern(pool, EXPR_SHL, a, b);
    if (by >= sort)
        return same_sort_const(pool, a, 0);
    if (by == 0)
        return a;
    if (is_op(pool, a, EXPR_ZEXT) || is_op(pool, a, EXPR_CONCAT))
        return expr_concat(pool, expr_extract(pool, a, 0, (Sort)(sort - by)), expr_const(pool, (Sort)by, 0));
    return expr_binary(pool, EXPR_MUL, a, same_sort_const(pool, a, (Bits)1 << by));
}

ExprId simplify_lshr(ExprPool *pool, ExprId a, ExprId b)
{
    Sort sort = expr_sort(pool, a);
    Bits by;
    if (is_value(pool, a, 0))
        return a;
    if (!expr_is_const(pool, b, &by))
        return lift_or_intern(pool, EXPR_LSHR, a, b);
    if (by >= sort)
        return same_sort_const(pool, a, 0);
    return expr_zext(pool, expr_extract(pool, a, (unsigned)by, (Sort)(sort - by)), sort);
}

ExprId simplify_ashr(ExprPool *pool, ExprId a, ExprId b)
{
    Sort sort = expr_sort(pool, a);
    Bits by;
    if (top_bit_is_zero(pool, a))
        return expr_binary(pool, EXPR_LSHR, a, b);
    if (!expr_is_const(pool, b, &by))
        return lift_or_intern(pool, EXPR_ASHR, a, b);
    if (by >= sort)
        by = sort - 1u;
    return expr_sext(pool, expr_extract(pool, a, (unsigned)by, (Sort)(sort - by)), sort);
}
