/* simplify_shape.c - concatenation, extraction and extension in normal form
 *
 * A value that goes through memory byte by byte comes back whole: EXTRACTs of one
 * expression that stand side by side are merged, also across constants and signs.
 */
#include "sym/expr/simplify_internal.h"

/* ---- Concatenation ------------------------------------------------------- */

/* Two EXTRACTs that stand side by side in one expression, as one; else none. */
static ExprId merge_extracts(ExprPool *pool, ExprId high, ExprId low)
{
    const ExprNode *h = expr_get(pool, high), *l = expr_get(pool, low);
    if (h->op != EXPR_EXTRACT || l->op != EXPR_EXTRACT || h->word[0] != l->word[0] ||
        h->word[1] != l->word[1] + l->sort)
        return EXPR_NONE;
    return expr_extract(pool, expr_operand(h, 0), l->word[1], (Sort)(h->sort + l->sort));
}

static ExprId merge_constants(ExprPool *pool, ExprId high, ExprId low)
{
    Bits h, l;
    if (!expr_is_const(pool, high, &h) || !expr_is_const(pool, low, &l))
        return EXPR_NONE;
    Sort low_sort = expr_sort(pool, low);
    return expr_const(pool, (Sort)(expr_sort(pool, high) + low_sort), h << low_sort | l);
}

/* The high part consists of copies of the low part's sign. */
static bool is_sign_of(ExprPool *pool, ExprId high, ExprId low)
{
    ExprId bit = is_op(pool, high, EXPR_SEXT) ? operand(pool, high, 0) : high;
    if (expr_sort(pool, bit) != 1 || is_op(pool, bit, EXPR_CONST))
        return false;
    return expr_same(bit, expr_extract(pool, low, expr_sort(pool, low) - 1u, 1));
}

ExprId simplify_concat(ExprPool *pool, ExprId high, ExprId low)
{
    Sort sort = (Sort)(expr_sort(pool, high) + expr_sort(pool, low));
    ExprId r;
    if (is_value(pool, high, 0))
        return expr_zext(pool, low, sort);
    if (is_op(pool, high, EXPR_ZEXT))
        return expr_zext(pool, expr_concat(pool, operand(pool, high, 0), low), sort);
    if (is_op(pool, high, EXPR_CONCAT))
        return expr_concat(pool, operand(pool, high, 0), expr_concat(pool, operand(pool, high, 1), low));
    r = merge_extracts(pool, high, low);
    if (!expr_is_none(r))
        return r;
    if (is_op(pool, low, EXPR_CONCAT)) {
        ExprId next = operand(pool, low, 0);
        r = merge_extracts(pool, high, next);
        if (expr_is_none(r))
            r = merge_constants(pool, high, next);
        if (!expr_is_none(r))
            return expr_concat(pool, r, operand(pool, low, 1));
    }
    if (is_op(pool, low, EXPR_ZEXT) && is_op(pool, high, EXPR_CONST)) {
        /* A constant over zeros is a longer constant. */
        ExprId x = operand(pool, low, 0);
        ExprId zeros = expr_const(pool, (Sort)(expr_sort(pool, low) - expr_sort(pool, x)), 0);
        return expr_concat(pool, merge_constants(pool, high, zeros), x);
    }
    if (is_sign_of(pool, high, low))
        return expr_sext(pool, low, sort);
    r = simplify_lift(pool, EXPR_CONCAT, 0, high, low);
    return expr_is_none(r) ? expr_intern(pool, EXPR_CONCAT, sort, high, low, EXPR_NONE) : r;
}

/* ---- Extraction ---------------------------------------------------------- */

static ExprId extract_from_concat(ExprPool *pool, ExprId a, unsigned low, Sort sort)
{
    ExprId high_part = operand(pool, a, 0), low_part = operand(pool, a, 1);
    unsigned border = expr_sort(pool, low_part);
    if (low >= border)
        return expr_extract(pool, high_part, low - border, sort);
    if (low + sort <= border)
        return expr_extract(pool, low_part, low, sort);
    Sort below = (Sort)(border - low);
    return expr_concat(pool, expr_extract(pool, high_part, 0, (Sort)(sort - below)),
                       expr_extract(pool, low_part, low, below));
}

static ExprId extract_from_extended(ExprPool *pool, ExprId a, unsigned low, Sort sort)
{
    ExprId x = operand(pool, a, 0);
    unsigned inner = expr_sort(pool, x);
    bool is_signed = is_op(pool, a, EXPR_SEXT);
    if (low + sort <= inner)
        return expr_extract(pool, x, low, sort);
    if (low >= inner && !is_signed)
        return expr_const(pool, sort, 0);
    if (low >= inner)
        low = inner - 1;
    x = expr_extract(pool, x, low, (Sort)(inner - low));
    return is_signed ? expr_sext(pool, x, sort) : expr_zext(pool, x, sort);
}

/* Bits of x * 2^k, as if shifted. None if they lie on both sides of bit k. */
static ExprId extract_from_shifted(ExprPool *pool, ExprId a, unsigned low, Sort sort)
{
    ExprId x;
    Bits factor;
    if (!is_op_const(pool, a, EXPR_MUL, &x, &factor) || (factor & (factor - 1)))
        return EXPR_NONE;
    unsigned k = 0;
    while (factor >> k > 1)
        k++;
    if (low >= k)
        return expr_extract(pool, x, low - k, sort);
    return low + sort <= k ? expr_const(pool, sort, 0) : EXPR_NONE;
}

ExprId simplify_extract(ExprPool *pool, ExprId a, unsigned low, Sort sort)
{
    ExprId r = EXPR_NONE;
    switch (expr_get(pool, a)->op) {
    case EXPR_EXTRACT: r = expr_extract(pool, operand(pool, a, 0), expr_get(pool, a)->word[1] + low, sort); break;
    case EXPR_CONCAT: r = extract_from_concat(pool, a, low, sort); break;
    case EXPR_ZEXT:
    case EXPR_SEXT: r = extract_from_extended(pool, a, low, sort); break;
    case EXPR_MUL: r = extract_from_shifted(pool, a, low, sort); break;
    case EXPR_ITE: r = simplify_lift(pool, EXPR_EXTRACT, sort, a, (ExprId){low}); break;
    default: break;
    }
    return expr_is_none(r) ? expr_intern(pool, EXPR_EXTRACT, sort, a, (ExprId){low}, EXPR_NONE) : r;
}

/* ---- Extension ----------------------------------------------------------- */

ExprId simplify_zext(ExprPool *pool, ExprId a, Sort sort)
{
    if (is_op(pool, a, EXPR_ZEXT))
        return expr_zext(pool, operand(pool, a, 0), sort);
    ExprId r = simplify_lift(pool, EXPR_ZEXT, sort, a, EXPR_NONE);
    return expr_is_none(r) ? expr_intern(pool, EXPR_ZEXT, sort, a, EXPR_NONE, EXPR_NONE) : r;
}

ExprId simplify_sext(ExprPool *pool, ExprId a, Sort sort)
{
    if (is_op(pool, a, EXPR_SEXT))
        return expr_sext(pool, operand(pool, a, 0), sort);
    if (top_bit_is_zero(pool, a))
        return expr_zext(pool, a, sort);
    ExprId r = simplify_lift(pool, EXPR_SEXT, sort, a, EXPR_NONE);
    return expr_is_none(r) ? expr_intern(pool, EXPR_SEXT, sort, a, EXPR_NONE, EXPR_NONE) : r;
}
