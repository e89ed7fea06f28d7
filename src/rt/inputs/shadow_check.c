/* shadow_check.c - arithmetic that C leaves undefined: division by zero, overflow */
#include "rt/detect/bug.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/tracking.h"

uint8_t sennit_rt_check_overflow;

static ExprId either(uint32_t shadow, uint32_t width, Bits value)
{
    return expr_or_const(tracking.pool, shadow_expr(shadow), (Sort)width, bits_cut(value, (Sort)width));
}

static ExprId equals(ExprId e, uint32_t width, Bits value)
{
    return expr_binary(tracking.pool, EXPR_EQ, e, expr_const(tracking.pool, (Sort)width, value));
}

/* ---- Division ----------------------------------------------------------------------------- */

void sennit_rt_shadow_divide(uint32_t is_signed, uint32_t width, uint32_t sa, uint64_t a, uint64_t a_high, uint32_t sb,
                             uint64_t b, uint64_t b_high, const SennitSite *site)
{
    Bits least = (Bits)1 << (width - 1), minus_one = bits_mask((Sort)width);
    Bits x = join_halves(a, a_high), y = join_halves(b, b_high);
    sennit_rt_site = site;
    if (!rt.self)
        return;
    if (sb)
        branch_decide(equals(shadow_expr(sb), width, 0), y == 0);
    if (y == 0)
        report_bug(BUG_DIVISION, "division by zero");
    if (!is_signed)
        return;
    bool overflows = x == least && y == minus_one;
    ExprId both = expr_binary(tracking.pool, EXPR_AND, equals(either(sb, width, y), width, minus_one),
                              equals(either(sa, width, x), width, least));
    branch_decide(both, overflows);
    if (overflows)
        report_bug(BUG_OVERFLOW, SENNIT_QUOTIENT_OVERFLOWS);
}

/* ---- Overflow -------------------------------------------------------------------------------- */

static bool overflows(uint32_t op, uint32_t width, SignedBits a, SignedBits b)
{
    SignedBits exact;
    bool too_wide = op == SENNIT_SHADOW_ADD ? __builtin_add_overflow(a, b, &exact)
                    : op == SENNIT_SHADOW_SUB ? __builtin_sub_overflow(a, b, &exact)
                                              : __builtin_mul_overflow(a, b, &exact);
    return too_wide || exact != bits_signed(bits_cut((Bits)exact, (Sort)width), (Sort)width);
}

static ExprId negative(ExprId e, uint32_t width)
{
    return expr_binary(tracking.pool, EXPR_SLT, e, expr_const(tracking.pool, (Sort)width, 0));
}

static ExprId both(ExprId a, ExprId b) { return expr_binary(tracking.pool, EXPR_AND, a, b); }

/* For the widest numbers, whose exact results have no expression: the sign of a sum or a difference
 * is wrong; a product divided by one factor is not the other. */
static ExprId overflow_of_widest(uint32_t op, uint32_t width, ExprId a, ExprId b)
{
    ExprPool *pool = tracking.pool;
    if (op != SENNIT_SHADOW_MUL) {
        ExprId result = expr_binary(pool, op == SENNIT_SHADOW_ADD ? EXPR_ADD : EXPR_SUB, a, b);
        ExprId other = op == SENNIT_SHADOW_ADD ? result : b;
        return negative(both(expr_binary(pool, EXPR_XOR, a, result),
                             expr_binary(pool, EXPR_XOR, op == SENNIT_SHADOW_ADD ? b : a, other)),
                        width);
    }
    ExprId quotient = expr_binary(pool, EXPR_SDIV, expr_binary(pool, EXPR_MUL, a, b), a);
    ExprId minus = both(equals(a, width, bits_mask((Sort)width)), equals(b, width, (Bits)1 << (width - 1)));
    ExprId differs = both(expr_not(pool, equals(a, width, 0)), expr_binary(pool, EXPR_NE, quotient, b));
    return expr_binary(pool, EXPR_OR, minus, differs);
}

static ExprId overflow_expr(uint32_t op, uint32_t width, ExprId a, ExprId b)
{
    static const ExprOp ops[] = {
        [SENNIT_SHADOW_ADD] = EXPR_ADD, [SENNIT_SHADOW_SUB] = EXPR_SUB, [SENNIT_SHADOW_MUL] = EXPR_MUL};
    ExprPool *pool = tracking.pool;
    if (width > 64)
        return overflow_of_widest(op, width, a, b);
    Sort twice = (Sort)(op == SENNIT_SHADOW_MUL ? 2 * width : width + 1);
    ExprId exact = expr_binary(pool, ops[op], expr_sext(pool, a, twice), expr_sext(pool, b, twice));
    ExprId narrow = expr_sext(pool, expr_binary(pool, ops[op], a, b), twice);
    return expr_binary(pool, EXPR_NE, exact, narrow);
}

void sennit_rt_shadow_overflow(uint32_t op, uint32_t width, uint32_t sa, uint64_t a, uint64_t a_high, uint32_t sb,
                               uint64_t b, uint64_t b_high, const SennitSite *site)
{
    static const char *const names[] = {
        [SENNIT_SHADOW_ADD] = "+", [SENNIT_SHADOW_SUB] = "-", [SENNIT_SHADOW_MUL] = "*"};
    Bits first = join_halves(a, a_high), second = join_halves(b, b_high);
    SignedBits x = bits_signed(first, (Sort)width), y = bits_signed(second, (Sort)width);
    bool too_large = overflows(op, width, x, y);
    sennit_rt_site = site;
    if (!rt.self)
        return;
    if (sa || sb)
        branch_decide(overflow_expr(op, width, either(sa, width, first), either(sb, width, second)), too_large);
    if (too_large && width > 64)
        report_bug(BUG_OVERFLOW, "the result of %s is too large for %u bits", names[op], width);
    if (too_large)
        report_bug(BUG_OVERFLOW, "%lld %s %lld is too large for %u bits", (long long)x, names[op], (long long)y, width);
}
