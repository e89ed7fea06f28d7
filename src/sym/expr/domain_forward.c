/* domain_forward.c - see domain.h: results from operands */
#include "sym/expr/domain.h"

static uint64_t mask_of(Sort sort)
{
    return (uint64_t)bits_mask(sort);
}

static bool is_single(const Domain *d, Sort sort, uint64_t *value)
{
    Bits bits;
    if (!domain_is_single(d, sort, &bits))
        return false;
    *value = (uint64_t)bits;
    return true;
}

/* ---- Wrapping around ------------------------------------------------------------- */

/* Sets the unsigned bounds to the numbers lo..hi modulo 2^width, if that is an interval. */
static void wrap_unsigned(Domain *d, Sort sort, SignedBits lo, SignedBits hi)
{
    if (lo >> sort != hi >> sort)
        return;
    d->lo = (uint64_t)lo & mask_of(sort);
    d->hi = (uint64_t)hi & mask_of(sort);
}

static void wrap_signed(Domain *d, Sort sort, SignedBits lo, SignedBits hi)
{
    SignedBits half = (SignedBits)1 << (sort - 1);
    if ((lo + half) >> sort != (hi + half) >> sort)
        return;
    d->slo = (int64_t)bits_signed((Bits)lo, sort);
    d->shi = (int64_t)bits_signed((Bits)hi, sort);
}

/* The number of lowest bits that are known in both. */
static unsigned known_low_bits(const Domain *a, const Domain *b)
{
    uint64_t unknown = ~((a->zeros | a->ones) & (b->zeros | b->ones));
    return unknown ? (unsigned)__builtin_ctzll(unknown) : 64;
}

static void set_low_bits(Domain *d, uint64_t value, unsigned count, Sort sort)
{
    uint64_t known = (count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1) & mask_of(sort);
    d->ones |= value & known;
    d->zeros |= ~value & known;
}

/* ---- Sums and products -------------------------------------------------------------- */

static Domain add(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    wrap_unsigned(&d, sort, (SignedBits)a->lo + b->lo, (SignedBits)a->hi + b->hi);
    wrap_signed(&d, sort, (SignedBits)a->slo + b->slo, (SignedBits)a->shi + b->shi);
    set_low_bits(&d, a->ones + b->ones, known_low_bits(a, b), sort);
    return d;
}

static Domain subtract(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    wrap_unsigned(&d, sort, (SignedBits)a->lo - b->hi, (SignedBits)a->hi - b->lo);
    wrap_signed(&d, sort, (SignedBits)a->slo - b->shi, (SignedBits)a->shi - b->slo);
    set_low_bits(&d, a->ones - b->ones, known_low_bits(a, b), sort);
    return d;
}

static unsigned trailing_zeros(const Domain *a)
{
    return ~a->zeros ? (unsigned)__builtin_ctzll(~a->zeros) : 64;
}

/* The smallest and largest of the four products of bounds. */
static void signed_products(const Domain *a, const Domain *b, SignedBits *least, SignedBits *most)
{
    SignedBits p[4] = {(SignedBits)a->slo * b->slo, (SignedBits)a->slo * b->shi, (SignedBits)a->shi * b->slo,
                       (SignedBits)a->shi * b->shi};
    *least = *most = p[0];
    for (int i = 1; i < 4; i++) {
        *least = p[i] < *least ? p[i] : *least;
        *most = p[i] > *most ? p[i] : *most;
    }
}

static Domain multiply(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    SignedBits least, most;
    if ((Bits)a->hi * b->hi >> 126 == 0)
        wrap_unsigned(&d, sort, (SignedBits)((Bits)a->lo * b->lo), (SignedBits)((Bits)a->hi * b->hi));
    signed_products(a, b, &least, &most);
    wrap_signed(&d, sort, least, most);
    set_low_bits(&d, a->ones * b->ones, known_low_bits(a, b), sort);
    set_low_bits(&d, 0, trailing_zeros(a) + trailing_zeros(b), sort);
    return d;
}

/* ---- Quotients ------------------------------------------------------------------------ */

static Domain divide(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    if (b->lo > 0) {
        d.lo = a->lo / b->hi;
        d.hi = a->hi / b->lo;
    }
    return d;
}

static Domain remain(const Domain *a, const Domain *b, Sort sort)
{
    if (b->lo > a->hi)
        return *a;
    Domain d = domain_top(sort);
    d.hi = b->lo > 0 && b->hi - 1 < a->hi ? b->hi - 1 : a->hi;
    return d;
}

static void cover(SignedBits value, SignedBits *least, SignedBits *most)
{
    *least = value < *least ? value : *least;
    *most = value > *most ? value : *most;
}

/* Divisors of one sign: the extreme quotients are those of extreme operands. */
static void cover_quotients(const Domain *a, SignedBits from, SignedBits to, SignedBits *least, SignedBits *most)
{
    if (from > to)
        return;
    cover(a->slo / from, least, most);
    cover(a->slo / to, least, most);
    cover(a->shi / from, least, most);
    cover(a->shi / to, least, most);
}

/* By 0 the quotient is -1, or 1 for negative numbers. */
static Domain divide_signed(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    SignedBits least = INT64_MAX, most = INT64_MIN;
    cover_quotients(a, b->slo, b->shi < 0 ? b->shi : -1, &least, &most);
    cover_quotients(a, b->slo > 0 ? b->slo : 1, b->shi, &least, &most);
    if (b->slo <= 0 && b->shi >= 0) {
        cover(a->shi >= 0 ? -1 : 1, &least, &most);
        cover(a->slo < 0 ? 1 : -1, &least, &most);
    }
    wrap_signed(&d, sort, least, most);
    return d;
}

/* Bounds of a remainder that has the sign of the first operand and at most this size. */
static void bound_remainder(Domain *d, const Domain *a, int64_t most)
{
    d->slo = a->slo >= 0 ? 0 : a->slo > -most ? a->slo : -most;
    d->shi = a->shi <= 0 ? 0 : a->shi < most ? a->shi : most;
}

static Domain remain_signed(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    if (b->slo <= 0 && b->shi >= 0) { /* by 0 it is the first operand */
        d.slo = a->slo < 0 ? a->slo : 0;
        d.shi = a->shi > 0 ? a->shi : 0;
    } else if (b->slo != INT64_MIN) {
        bound_remainder(&d, a, b->slo > 0 ? b->shi - 1 : -b->slo - 1);
    }
    return d;
}

/* ---- Bits -------------------------------------------------------------------------------- */

static Domain bitwise_and(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    d.ones = a->ones & b->ones;
    d.zeros |= a->zeros | b->zeros;
    d.hi = a->hi < b->hi ? a->hi : b->hi;
    return d;
}

static Domain bitwise_or(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    d.ones = a->ones | b->ones;
    d.zeros |= a->zeros & b->zeros;
    d.lo = a->lo > b->lo ? a->lo : b->lo;
    return d;
}

static Domain bitwise_xor(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    d.ones = (a->ones & b->zeros) | (a->zeros & b->ones);
    d.zeros |= (a->ones & b->ones) | (a->zeros & b->zeros);
    return d;
}

static Domain complement(const Domain *a, Sort sort)
{
    uint64_t mask = mask_of(sort);
    return (Domain){~a->hi & mask, ~a->lo & mask, ~a->shi, ~a->slo, a->ones | ~mask, a->zeros & mask};
}

static Domain shift_left(const Domain *a, const Domain *b, Sort sort)
{
    uint64_t by;
    if (!is_single(b, sort, &by) || by >= sort)
        return domain_top(sort);
    Domain factor = domain_const(sort, (Bits)1 << by);
    return multiply(a, &factor, sort);
}

static Domain shift_right(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    uint64_t by;
    d.hi = a->hi;
    if (is_single(b, sort, &by) && by < sort) {
        d.lo = a->lo >> by;
        d.hi = a->hi >> by;
    }
    return d;
}

static Domain shift_right_signed(const Domain *a, const Domain *b, Sort sort)
{
    Domain d = domain_top(sort);
    uint64_t by;
    d.slo = a->slo < 0 ? a->slo : 0;
    d.shi = a->shi < 0 ? -1 : a->shi;
    if (is_single(b, sort, &by) && by < sort) {
        d.slo = a->slo >> by;
        d.shi = a->shi >> by;
    }
    return d;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static Domain concat(const Domain *high, const Domain *low, Sort low_sort, Sort sort)
{
    Domain d = domain_top(sort);
    d.lo = high->lo << low_sort | low->lo;
    d.hi = high->hi << low_sort | low->hi;
    d.ones = high->ones << low_sort | low->ones;
    d.zeros |= high->zeros << low_sort | (low->zeros & mask_of(low_sort));
    return d;
}

static Domain extract(const Domain *a, unsigned low, Sort sort)
{
    Domain d = domain_top(sort);
    uint64_t mask = mask_of(sort);
    d.ones = a->ones >> low & mask;
    d.zeros |= a->zeros >> low & mask;
    if (a->lo >> low >> (sort - 1) >> 1 == a->hi >> low >> (sort - 1) >> 1) {
        d.lo = a->lo >> low & mask;
        d.hi = a->hi >> low & mask;
    }
    if (low == 0)
        wrap_signed(&d, sort, a->slo, a->shi);
    return d;
}

static Domain zero_extend(const Domain *a, Sort inner, Sort sort)
{
    Domain d = domain_top(sort);
    d.lo = a->lo;
    d.hi = a->hi;
    d.ones = a->ones;
    d.zeros = a->zeros | ~mask_of(inner);
    return d;
}

static Domain sign_extend(const Domain *a, Sort inner, Sort sort)
{
    Domain d = domain_top(sort);
    uint64_t rest = mask_of(inner);
    d.slo = a->slo;
    d.shi = a->shi;
    d.ones = a->ones & rest;
    d.zeros |= a->zeros & rest;
    return d;
}

/* ---- Choices and comparisons -------------------------------------------------------------------- */

static Domain unite(const Domain *a, const Domain *b)
{
    return (Domain){a->lo < b->lo ? a->lo : b->lo,     a->hi > b->hi ? a->hi : b->hi,
                    a->slo < b->slo ? a->slo : b->slo, a->shi > b->shi ? a->shi : b->shi,
                    a->zeros & b->zeros,               a->ones & b->ones};
}

static Domain choose(const Domain *condition, const Domain *yes, const Domain *no)
{
    if (condition->lo == 1)
        return *yes;
    return condition->hi == 0 ? *no : unite(yes, no);
}

static Domain truth(bool must, bool cannot)
{
    if (must)
        return domain_const(SORT_BOOL, 1);
    return cannot ? domain_const(SORT_BOOL, 0) : domain_top(SORT_BOOL);
}

static Domain equal(const Domain *a, const Domain *b, Sort sort)
{
    Bits x, y;
    bool apart = a->lo > b->hi || b->lo > a->hi || a->slo > b->shi || b->slo > a->shi ||
                 (a->ones & b->zeros) || (a->zeros & b->ones);
    bool same = domain_is_single(a, sort, &x) && domain_is_single(b, sort, &y) && x == y;
    return truth(same, apart);
}

/* Integers without a bound do not compare: INT64_MAX stands for "any". */
static Domain less_signed(const Domain *a, const Domain *b, bool or_equal)
{
    if (or_equal)
        return truth(a->shi <= b->slo && a->shi != INT64_MAX && b->slo != INT64_MIN, a->slo > b->shi);
    return truth(a->shi < b->slo, a->slo >= b->shi && a->slo != INT64_MIN && b->shi != INT64_MAX);
}

/* In bit-vectors of width 64 the extremes are values like others. */
static Domain less_signed_bits(const Domain *a, const Domain *b, bool or_equal)
{
    return or_equal ? truth(a->shi <= b->slo, a->slo > b->shi) : truth(a->shi < b->slo, a->slo >= b->shi);
}

static Domain less_unsigned(const Domain *a, const Domain *b, bool or_equal)
{
    return or_equal ? truth(a->hi <= b->lo, a->lo > b->hi) : truth(a->hi < b->lo, a->lo >= b->hi);
}

/* ---- Integers --------------------------------------------------------------------------------------- */

static int64_t clamp(SignedBits value)
{
    if (value >= INT64_MAX)
        return INT64_MAX - 1;
    return value <= INT64_MIN ? INT64_MIN + 1 : (int64_t)value;
}

static bool has_lower(const Domain *a)
{
    return a->slo != INT64_MIN;
}

static bool has_upper(const Domain *a)
{
    return a->shi != INT64_MAX;
}

/* Bounds of a sum; a bound beyond 64 bits is none. */
static Domain integer_sum(SignedBits lo, bool has_lo, SignedBits hi, bool has_hi)
{
    Domain d = domain_top(SORT_INT);
    if (has_lo && lo > INT64_MIN)
        d.slo = clamp(lo);
    if (has_hi && hi < INT64_MAX)
        d.shi = clamp(hi);
    return d;
}

static Domain integer_add(const Domain *a, const Domain *b)
{
    return integer_sum((SignedBits)a->slo + b->slo, has_lower(a) && has_lower(b), (SignedBits)a->shi + b->shi,
                       has_upper(a) && has_upper(b));
}

static Domain integer_subtract(const Domain *a, const Domain *b)
{
    return integer_sum((SignedBits)a->slo - b->shi, has_lower(a) && has_upper(b), (SignedBits)a->shi - b->slo,
                       has_upper(a) && has_lower(b));
}

static bool is_bounded(const Domain *a)
{
    return has_lower(a) && has_upper(a);
}

static Domain integer_multiply(const Domain *a, const Domain *b)
{
    SignedBits least, most;
    if (!is_bounded(a) || !is_bounded(b))
        return domain_top(SORT_INT);
    signed_products(a, b, &least, &most);
    return integer_sum(least, true, most, true);
}

/* By a known positive number; everything else is left open. */
static Domain integer_divide(uint8_t op, const Domain *a, const Domain *b)
{
    Domain d = domain_top(SORT_INT);
    int64_t by = b->slo;
    if (b->slo != b->shi || by <= 0 || by == INT64_MAX)
        return d;
    if (op == EXPR_IREM) {
        bound_remainder(&d, a, by - 1);
    } else if (op == EXPR_IMOD) {
        d.slo = 0;
        d.shi = by - 1;
    } else {
        bool down = op == EXPR_IDIV;
        if (has_lower(a))
            d.slo = a->slo / by - (down && a->slo % by < 0);
        if (has_upper(a))
            d.shi = a->shi / by - (down && a->shi % by < 0);
    }
    return d;
}

static Domain forward_integer(const DomainFrame *f, const Domain *a, const Domain *b)
{
    Domain zero = domain_const(SORT_INT, 0);
    switch (f->node->op) {
    case EXPR_IADD: return integer_add(a, b);
    case EXPR_ISUB: return integer_subtract(a, b);
    case EXPR_IMUL: return integer_multiply(a, b);
    case EXPR_INEG: return integer_subtract(&zero, a);
    case EXPR_ILT: return less_signed(a, b, false);
    case EXPR_ILE: return less_signed(a, b, true);
    case EXPR_EQ: return equal(a, b, SORT_INT);
    default: return integer_divide(f->node->op, a, b);
    }
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static Domain forward_bits(const DomainFrame *f, const Domain *a, const Domain *b)
{
    Sort inner = f->sorts[0], sort = f->node->sort;
    Domain zero = domain_const(inner, 0);
    switch (f->node->op) {
    case EXPR_ADD: return add(a, b, sort);
    case EXPR_SUB: return subtract(a, b, sort);
    case EXPR_MUL: return multiply(a, b, sort);
    case EXPR_UDIV: return divide(a, b, sort);
    case EXPR_SDIV: return divide_signed(a, b, sort);
    case EXPR_UREM: return remain(a, b, sort);
    case EXPR_SREM: return remain_signed(a, b, sort);
    case EXPR_AND: return bitwise_and(a, b, sort);
    case EXPR_OR: return bitwise_or(a, b, sort);
    case EXPR_XOR: return bitwise_xor(a, b, sort);
    case EXPR_SHL: return shift_left(a, b, sort);
    case EXPR_LSHR: return shift_right(a, b, sort);
    case EXPR_ASHR: return shift_right_signed(a, b, sort);
    case EXPR_NOT: return complement(a, sort);
    case EXPR_NEG: return subtract(&zero, a, sort);
    case EXPR_ULT: return less_unsigned(a, b, false);
    case EXPR_ULE: return less_unsigned(a, b, true);
    case EXPR_SLT: return less_signed_bits(a, b, false);
    case EXPR_SLE: return less_signed_bits(a, b, true);
    case EXPR_EQ: return equal(a, b, inner);
    case EXPR_CONCAT: return concat(a, b, f->sorts[1], sort);
    case EXPR_EXTRACT: return extract(a, f->node->word[1], sort);
    case EXPR_ZEXT: return zero_extend(a, inner, sort);
    default: assert(f->node->op == EXPR_SEXT); return sign_extend(a, inner, sort);
    }
}

Domain domain_forward(const DomainFrame *f)
{
    const ExprNode *node = f->node;
    if (node->op == EXPR_ITE)
        return choose(f->operands[0], f->operands[1], f->operands[2]);
    if (node->sort > 64 || f->sorts[0] > 64 || f->sorts[1] > 64)
        return domain_top(node->sort);
    if (f->sorts[0] == SORT_INT)
        return forward_integer(f, f->operands[0], f->operands[1]);
    return forward_bits(f, f->operands[0], f->operands[1]);
}
