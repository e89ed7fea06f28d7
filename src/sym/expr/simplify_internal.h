/* simplify_internal.h - the simplification rules behind expr_make
 *
 * Each function returns the simplest known form of one operation whose operands are
 * already simplified and not all constant. Normal forms that other rules rely on:
 *
 *   - the constant of a commutative operation is the second operand, the others are
 *     ordered by hash; x - c is x + -c, x << c is x * 2^c
 *   - constants are outermost in sums: (x + c) + y is (x + y) + c
 *   - a comparison with a constant is strict: x <= c is x < c + 1
 *   - a comparison is never negated, except EQ; > and >= never occur
 *   - masks of low bits and right shifts by constants are ZEXT or SEXT of EXTRACT
 *   - CONCAT nests to the right, never has ZEXT or zero as its high part, and two
 *     neighbouring EXTRACTs of one expression in it are one
 *   - EXTRACT is never applied to EXTRACT, CONCAT, ZEXT, SEXT
 *   - operations on one bit are AND, OR, XOR, NOT, EQ with wider operands
 */
#ifndef SYM_EXPR_SIMPLIFY_INTERNAL_H
#define SYM_EXPR_SIMPLIFY_INTERNAL_H

#include "sym/expr/expr.h"

/* The node with exactly this shape, without any simplification. */
ExprId expr_intern(ExprPool *pool, ExprOp op, Sort sort, ExprId a, ExprId b, ExprId c);

ExprId simplify_add(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_sub(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_mul(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_neg(ExprPool *pool, ExprId a);
ExprId simplify_udiv(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_sdiv(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_urem(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_srem(ExprPool *pool, ExprId a, ExprId b);

ExprId simplify_and(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_or(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_xor(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_not(ExprPool *pool, ExprId a);
ExprId simplify_shl(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_lshr(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_ashr(ExprPool *pool, ExprId a, ExprId b);
/* high ++ low, if `a` and `b` have no bit in common that could be one; else none. */
ExprId simplify_disjoint(ExprPool *pool, ExprId a, ExprId b);

ExprId simplify_concat(ExprPool *pool, ExprId high, ExprId low);
ExprId simplify_extract(ExprPool *pool, ExprId a, unsigned low, Sort sort);
ExprId simplify_zext(ExprPool *pool, ExprId a, Sort sort);
ExprId simplify_sext(ExprPool *pool, ExprId a, Sort sort);

ExprId simplify_eq(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_ult(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_ule(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_slt(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_sle(ExprPool *pool, ExprId a, ExprId b);

ExprId simplify_ite(ExprPool *pool, ExprId condition, ExprId yes, ExprId no);
/* op(ite(c, k, l), m) as ite(c, op(k, m), op(l, m)), where k, l, m are constants and one
 * of the operands (`b` may be none) is such an ite; else none. */
ExprId simplify_lift(ExprPool *pool, ExprOp op, Sort sort, ExprId a, ExprId b);

ExprId simplify_iadd(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_isub(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_imul(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_ineg(ExprPool *pool, ExprId a);
ExprId simplify_idivision(ExprPool *pool, ExprOp op, ExprId a, ExprId b);
ExprId simplify_ilt(ExprPool *pool, ExprId a, ExprId b);
ExprId simplify_ile(ExprPool *pool, ExprId a, ExprId b);

/* ---- Patterns ---------------------------------------------------------- */

static inline bool is_op(const ExprPool *pool, ExprId e, ExprOp op)
{
    return expr_get(pool, e)->op == op;
}

static inline ExprId operand(const ExprPool *pool, ExprId e, unsigned i)
{
    return expr_operand(expr_get(pool, e), i);
}

/* `e` is op(x, constant). */
static inline bool is_op_const(const ExprPool *pool, ExprId e, ExprOp op, ExprId *x, Bits *constant)
{
    const ExprNode *node = expr_get(pool, e);
    if (node->op != op || !expr_is_const(pool, expr_operand(node, 1), constant))
        return false;
    *x = expr_operand(node, 0);
    return true;
}

static inline bool is_value(const ExprPool *pool, ExprId e, Bits value)
{
    Bits constant;
    return expr_is_const(pool, e, &constant) && constant == value;
}

static inline bool is_comparison(const ExprPool *pool, ExprId e)
{
    uint8_t op = expr_get(pool, e)->op;
    return (op >= EXPR_ULT && op <= EXPR_SLE) || op == EXPR_ILT || op == EXPR_ILE;
}

/* One of the two is the complement of the other. Negated comparisons are comparisons. */
static inline bool are_complements(ExprPool *pool, ExprId a, ExprId b)
{
    if (is_op(pool, a, EXPR_NOT))
        return expr_same(operand(pool, a, 0), b);
    if (is_op(pool, b, EXPR_NOT))
        return expr_same(operand(pool, b, 0), a);
    return is_comparison(pool, a) && is_comparison(pool, b) && expr_same(expr_not(pool, a), b);
}

/* The order of operands that commute: constants last, else by hash, so that the order
 * does not depend on what was made before. */
static inline void order_operands(const ExprPool *pool, ExprId *a, ExprId *b)
{
    const ExprNode *x = expr_get(pool, *a), *y = expr_get(pool, *b);
    bool swap = x->op == EXPR_CONST || (y->op != EXPR_CONST && x->hash > y->hash);
    if (swap) {
        ExprId t = *a;
        *a = *b;
        *b = t;
    }
}

/* The highest bit is always zero. */
static inline bool top_bit_is_zero(const ExprPool *pool, ExprId e)
{
    const ExprNode *node = expr_get(pool, e);
    if (node->op == EXPR_CONCAT)
        node = expr_get(pool, expr_operand(node, 0));
    return node->op == EXPR_ZEXT || (node->op == EXPR_CONST && !(expr_value(node) >> (node->sort - 1)));
}

#endif
