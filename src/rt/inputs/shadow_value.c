/* shadow_value.c - expressions of computed values */
#include "rt/inputs/tracking.h"

static ExprId either(uint32_t shadow, uint32_t width, Bits value)
{
    return expr_or_const(tracking.pool, shadow_expr(shadow), (Sort)width, value);
}

static ExprId number(uint32_t width, Bits value) { return expr_const(tracking.pool, (Sort)width, value); }

static ExprId binary(ExprOp op, ExprId a, ExprId b) { return expr_binary(tracking.pool, op, a, b); }

/* ---- Arithmetic and comparisons --------------------------------------------------------- */

static const ExprOp operations[] = {
    [SENNIT_SHADOW_ADD] = EXPR_ADD, [SENNIT_SHADOW_SUB] = EXPR_SUB, [SENNIT_SHADOW_MUL] = EXPR_MUL,
    [SENNIT_SHADOW_UDIV] = EXPR_UDIV, [SENNIT_SHADOW_SDIV] = EXPR_SDIV, [SENNIT_SHADOW_UREM] = EXPR_UREM,
    [SENNIT_SHADOW_SREM] = EXPR_SREM, [SENNIT_SHADOW_AND] = EXPR_AND, [SENNIT_SHADOW_OR] = EXPR_OR,
    [SENNIT_SHADOW_XOR] = EXPR_XOR, [SENNIT_SHADOW_SHL] = EXPR_SHL, [SENNIT_SHADOW_LSHR] = EXPR_LSHR,
    [SENNIT_SHADOW_ASHR] = EXPR_ASHR, [SENNIT_SHADOW_EQ] = EXPR_EQ, [SENNIT_SHADOW_NE] = EXPR_NE,
    [SENNIT_SHADOW_ULT] = EXPR_ULT, [SENNIT_SHADOW_ULE] = EXPR_ULE, [SENNIT_SHADOW_UGT] = EXPR_UGT,
    [SENNIT_SHADOW_UGE] = EXPR_UGE, [SENNIT_SHADOW_SLT] = EXPR_SLT, [SENNIT_SHADOW_SLE] = EXPR_SLE,
    [SENNIT_SHADOW_SGT] = EXPR_SGT, [SENNIT_SHADOW_SGE] = EXPR_SGE};

static bool is_shift(uint32_t op)
{
    return op == SENNIT_SHADOW_SHL || op == SENNIT_SHADOW_LSHR || op == SENNIT_SHADOW_ASHR;
}

/* Processors use the last bits of an amount only; narrow numbers are shifted as 32 bits. C leaves it undefined, but
 * the program continues with that value. */
static Bits amount_mask(uint32_t width) { return width <= 32 ? 31 : width <= 64 ? 63 : 127; }

uint32_t sennit_rt_shadow_binary(uint32_t op, uint32_t width, uint32_t sa, uint64_t a, uint64_t a_high, uint32_t sb,
                                 uint64_t b, uint64_t b_high)
{
    ExprId right = shadow_expr(sb);
    Bits amount = join_halves(b, b_high);
    if (is_shift(op) && sb && width >= 8)
        right = binary(EXPR_AND, right, number(width, amount_mask(width)));
    if (is_shift(op))
        amount &= amount_mask(width);
    return expr_binary_mixed(tracking.pool, operations[op], (Sort)width, shadow_expr(sa), join_halves(a, a_high), right,
                             amount)
        .id;
}

uint32_t sennit_rt_shadow_cast(uint32_t cast, uint32_t from, uint32_t to, uint32_t s)
{
    ExprId e = shadow_expr(s);
    (void)from;
    switch (cast) {
    case SENNIT_SHADOW_TRUNC: return shadow_of_expr(expr_trunc(tracking.pool, e, (Sort)to));
    case SENNIT_SHADOW_ZEXT: return shadow_of_expr(expr_zext(tracking.pool, e, (Sort)to));
    default: return shadow_of_expr(expr_sext(tracking.pool, e, (Sort)to));
    }
}

uint32_t sennit_rt_shadow_select(uint32_t width, uint32_t sc, uint64_t c, uint32_t sa, uint64_t a, uint64_t a_high,
                                 uint32_t sb, uint64_t b, uint64_t b_high)
{
    if (!sc)
        return c ? sa : sb;
    return shadow_of_expr(expr_ite(tracking.pool, shadow_expr(sc), either(sa, width, join_halves(a, a_high)),
                                    either(sb, width, join_halves(b, b_high))));
}

/* ---- Intrinsics ----------------------------------------------------------------------------- */

static ExprId choose(ExprOp relation, ExprId a, ExprId b)
{
    return expr_ite(tracking.pool, binary(relation, a, b), a, b);
}

static ExprId swap_bytes(ExprId a, uint32_t width)
{
    ExprId result = expr_extract(tracking.pool, a, 0, 8);
    for (uint32_t low = 8; low < width; low += 8)
        result = expr_concat(tracking.pool, result, expr_extract(tracking.pool, a, low, 8));
    return result;
}

static ExprId reverse_bits(ExprId a, uint32_t width)
{
    ExprId result = expr_extract(tracking.pool, a, 0, 1);
    for (uint32_t low = 1; low < width; low++)
        result = expr_concat(tracking.pool, result, expr_extract(tracking.pool, a, low, 1));
    return result;
}

static ExprId count_ones(ExprId a, uint32_t width)
{
    ExprId sum = number(width, 0);
    for (uint32_t low = 0; low < width; low++)
        sum = binary(EXPR_ADD, sum, expr_zext(tracking.pool, expr_extract(tracking.pool, a, low, 1), (Sort)width));
    return sum;
}

/* Zeros before the first one, from the top or from the bottom. */
static ExprId count_zeros(ExprId a, uint32_t width, bool from_top)
{
    ExprId result = number(width, width);
    for (uint32_t i = 0; i < width; i++) {
        uint32_t bit = from_top ? i : width - 1 - i;
        result = expr_ite(tracking.pool, expr_extract(tracking.pool, a, bit, 1),
                          number(width, from_top ? width - 1 - bit : bit), result);
    }
    return result;
}

/* The upper or lower half of (a ++ b) shifted; each half by itself, since both may be too wide for one expression. */
static ExprId funnel(ExprId a, ExprId b, ExprId by, uint32_t width, bool left)
{
    ExprId amount = binary(EXPR_UREM, by, number(width, width)), one = number(width, 1);
    ExprId rest = binary(EXPR_SUB, number(width, width - 1), amount); /* the other half moves one further */
    if (left)
        return binary(EXPR_OR, binary(EXPR_SHL, a, amount), binary(EXPR_LSHR, binary(EXPR_LSHR, b, one), rest));
    return binary(EXPR_OR, binary(EXPR_SHL, binary(EXPR_SHL, a, one), rest), binary(EXPR_LSHR, b, amount));
}

static ExprId is_negative(ExprId a, uint32_t width) { return binary(EXPR_SLT, a, number(width, 0)); }

/* The exact result in twice the width differs from the truncated one. */
static ExprId overflows_twice(ExprOp op, bool is_signed, uint32_t width, ExprId a, ExprId b, ExprId narrow)
{
    ExprId (*extend)(ExprPool *, ExprId, Sort) = is_signed ? expr_sext : expr_zext;
    Sort twice = (Sort)(2 * width);
    ExprId exact = binary(op, extend(tracking.pool, a, twice), extend(tracking.pool, b, twice));
    return binary(EXPR_NE, exact, extend(tracking.pool, narrow, twice));
}

/* A product fits iff dividing it by one factor yields the other; but -1 times the least number is that number. */
static ExprId product_overflows(bool is_signed, uint32_t width, ExprId a, ExprId b, ExprId narrow)
{
    ExprId zero = number(width, 0), least = number(width, (Bits)1 << (width - 1));
    ExprId other = binary(EXPR_NE, binary(is_signed ? EXPR_SDIV : EXPR_UDIV, narrow, a), b);
    if (is_signed)
        other = binary(EXPR_OR, other,
                       binary(EXPR_AND, binary(EXPR_EQ, a, expr_not(tracking.pool, zero)), binary(EXPR_EQ, b, least)));
    return binary(EXPR_AND, binary(EXPR_NE, a, zero), other);
}

/* By signs and order, without a wider type. */
static ExprId overflows_within(ExprOp op, bool is_signed, uint32_t width, ExprId a, ExprId b, ExprId narrow)
{
    if (op == EXPR_MUL)
        return product_overflows(is_signed, width, a, b, narrow);
    if (!is_signed)
        return op == EXPR_ADD ? binary(EXPR_ULT, narrow, a) : binary(EXPR_ULT, a, b);
    ExprId other = op == EXPR_ADD ? binary(EXPR_XOR, b, narrow) : binary(EXPR_XOR, a, b);
    return is_negative(binary(EXPR_AND, binary(EXPR_XOR, a, narrow), other), width);
}

typedef struct Wrapping {
    ExprId value, overflow;
} Wrapping;

/* `which`: sum, difference, product; of each the signed operation, then the unsigned one. */
static Wrapping wrap(uint32_t which, uint32_t width, ExprId a, ExprId b)
{
    static const ExprOp ops[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL};
    ExprOp op = ops[which / 2];
    bool is_signed = which % 2 == 0;
    ExprId value = binary(op, a, b);
    return (Wrapping){value, width <= 64 ? overflows_twice(op, is_signed, width, a, b, value)
                                         : overflows_within(op, is_signed, width, a, b, value)};
}

static ExprId overflowing(uint32_t which, uint32_t part, uint32_t width, ExprId a, ExprId b)
{
    Wrapping result = wrap(which, width, a, b);
    return part ? result.overflow : result.value;
}

/* A signed result that does not fit has the sign of the first operand. */
static ExprId saturating(uint32_t which, uint32_t width, ExprId a, ExprId b)
{
    bool is_signed = which % 2 == 0, adds = which / 2 == 0;
    Wrapping result = wrap(which, width, a, b);
    ExprId zero = number(width, 0), least = number(width, (Bits)1 << (width - 1));
    ExprId nearest = is_signed ? expr_ite(tracking.pool, is_negative(a, width), least, expr_not(tracking.pool, least))
                               : adds ? expr_not(tracking.pool, zero) : zero;
    return expr_ite(tracking.pool, result.overflow, nearest, result.value);
}

uint32_t sennit_rt_shadow_intrinsic(uint32_t code, uint32_t width, uint32_t sa, uint64_t a, uint64_t a_high,
                                    uint32_t sb, uint64_t b, uint64_t b_high, uint32_t sc, uint64_t c, uint64_t c_high)
{
    ExprId x = either(sa, width, join_halves(a, a_high)), y = either(sb, width, join_halves(b, b_high)),
           zero = number(width, 0), e;
    ExprId z = either(sc, width, join_halves(c, c_high));
    switch (code & 0xff) {
    case SENNIT_SHADOW_BSWAP: e = swap_bytes(x, width); break;
    case SENNIT_SHADOW_ABS: e = expr_ite(tracking.pool, binary(EXPR_SLT, x, zero), binary(EXPR_SUB, zero, x), x); break;
    case SENNIT_SHADOW_SMAX: e = choose(EXPR_SGT, x, y); break;
    case SENNIT_SHADOW_SMIN: e = choose(EXPR_SLT, x, y); break;
    case SENNIT_SHADOW_UMAX: e = choose(EXPR_UGT, x, y); break;
    case SENNIT_SHADOW_UMIN: e = choose(EXPR_ULT, x, y); break;
    case SENNIT_SHADOW_CTPOP: e = count_ones(x, width); break;
    case SENNIT_SHADOW_CTLZ: e = count_zeros(x, width, true); break;
    case SENNIT_SHADOW_CTTZ: e = count_zeros(x, width, false); break;
    case SENNIT_SHADOW_BITREVERSE: e = reverse_bits(x, width); break;
    case SENNIT_SHADOW_FSHL: e = funnel(x, y, z, width, true); break;
    case SENNIT_SHADOW_FSHR: e = funnel(x, y, z, width, false); break;
    case SENNIT_SHADOW_SADD_SAT: case SENNIT_SHADOW_UADD_SAT: case SENNIT_SHADOW_SSUB_SAT: case SENNIT_SHADOW_USUB_SAT:
        e = saturating((code & 0xff) - SENNIT_SHADOW_SADD_SAT, width, x, y);
        break;
    default: e = overflowing((code & 0xff) - SENNIT_SHADOW_SADD_OVERFLOW, code >> 8, width, x, y);
    }
    return shadow_of_expr(e);
}
