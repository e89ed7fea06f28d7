/* shadow_check.c - arithmetic that C leaves undefined: division by zero, overflow */
#include "rt/tracking.h"

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

void sennit_rt_shadow_divide(uint32_t is_signed, uint32_t width, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b,
                             const SennitSite *site)
{
    Bits least = (Bits)1 << (width - 1), minus_one = bits_mask((Sort)width);
    sennit_rt_site = site;
    if (!rt.self || width > 64)
        return;
    if (sb)
        tracking_decide(equals(shadow_expr(sb), width, 0), b == 0);
    if (b == 0)
        report_bug(BUG_DIVISION, "division by zero");
    if (!is_signed)
        return;
    bool overflows = a == least && b == minus_one;
    ExprId both = expr_binary(tracking.pool, EXPR_AND, equals(either(sb, width, b), width, minus_one),
                              equals(either(sa, width, a), width, least));
    tracking_decide(both, overflows);
    if (overflows)
        report_bug(BUG_DIVISION, "the smallest number is divided by -1");
}

/* ---- Overflow -------------------------------------------------------------------------------- */

static SignedBits exact_result(uint32_t op, SignedBits a, SignedBits b)
{
    return op == SENNIT_SHADOW_ADD ? a + b : op == SENNIT_SHADOW_SUB ? a - b : a * b;
}

static ExprId overflow_expr(uint32_t op, uint32_t width, ExprId a, ExprId b)
{
    static const ExprOp ops[] = {[SENNIT_SHADOW_ADD] = EXPR_ADD, [SENNIT_SHADOW_SUB] = EXPR_SUB, [SENNIT_SHADOW_MUL] = EXPR_MUL};
    ExprPool *pool = tracking.pool;
    Sort twice = (Sort)(op == SENNIT_SHADOW_MUL ? 2 * width : width + 1);
    ExprId exact = expr_binary(pool, ops[op], expr_sext(pool, a, twice), expr_sext(pool, b, twice));
    ExprId narrow = expr_sext(pool, expr_binary(pool, ops[op], a, b), twice);
    return expr_binary(pool, EXPR_NE, exact, narrow);
}

void sennit_rt_shadow_overflow(uint32_t op, uint32_t width, uint32_t sa, uint64_t a, uint32_t sb, uint64_t b,
                               const SennitSite *site)
{
    static const char *const names[] = {[SENNIT_SHADOW_ADD] = "+", [SENNIT_SHADOW_SUB] = "-", [SENNIT_SHADOW_MUL] = "*"};
    SignedBits x = bits_signed(a, (Sort)width), y = bits_signed(b, (Sort)width), exact = exact_result(op, x, y);
    bool overflows = exact != bits_signed(bits_cut((Bits)exact, (Sort)width), (Sort)width);
    sennit_rt_site = site;
    if (!rt.self)
        return;
    if (sa || sb)
        tracking_decide(overflow_expr(op, width, either(sa, width, a), either(sb, width, b)), overflows);
    if (overflows)
        report_bug(BUG_OVERFLOW, "%lld %s %lld is too large for %u bits", (long long)x, names[op], (long long)y, width);
}
