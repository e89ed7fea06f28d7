/* domain_backward.c - see domain.h: operands from results
 *
 * Many operations are undone by another one that holds for all values, wrapping or not:
 * a = r - b if r = a + b. Their operands are met with the forward result of that one.
 */
#include "sym/expr/domain.h"

/* ---- Undoing by operations -------------------------------------------------------- */

/* Meets operand `which` with op(x, y), all of one sort. */
static bool meet_with(const DomainFrame *f, unsigned which, ExprOp op, Domain *x, Domain *y, bool *changed)
{
    Sort sort = f->sorts[which];
    ExprNode undo = {.op = (uint8_t)op, .sort = sort};
    DomainFrame frame = {&undo, {sort, sort, 0}, {x, y, NULL}, NULL};
    Domain d = domain_forward(&frame);
    return domain_reduce(&d, sort) && domain_meet(f->operands[which], &d, sort, changed);
}

static bool undo_add(const DomainFrame *f, ExprOp sub, bool *changed)
{
    return meet_with(f, 0, sub, f->result, f->operands[1], changed) &&
           meet_with(f, 1, sub, f->result, f->operands[0], changed);
}

static bool undo_sub(const DomainFrame *f, ExprOp add, ExprOp sub, bool *changed)
{
    return meet_with(f, 0, add, f->result, f->operands[1], changed) &&
           meet_with(f, 1, sub, f->operands[0], f->result, changed);
}

static bool undo_xor(const DomainFrame *f, bool *changed)
{
    return meet_with(f, 0, EXPR_XOR, f->result, f->operands[1], changed) &&
           meet_with(f, 1, EXPR_XOR, f->result, f->operands[0], changed);
}

/* ---- Products and quotients ---------------------------------------------------------- */

/* r = a * b without overflow: bounds of a from those of r and b. */
static bool undo_factor(Domain *a, const Domain *b, const Domain *r, Sort sort, bool *changed)
{
    if (b->lo > 0 && !domain_at_most(a, sort, r->hi / b->lo, changed))
        return false;
    if (b->hi > 0 && !domain_at_least(a, sort, r->lo / b->hi + (r->lo % b->hi != 0), changed))
        return false;
    return true;
}

static bool cannot_overflow(const Domain *a, const Domain *b, Sort sort)
{
    return (Bits)a->hi * b->hi <= bits_mask(sort);
}

/* Rounds towards the inside of the interval that a division of its bounds gives. */
static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b > 0);
}

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* r = a * factor, with a factor > 0 and no overflow of the signed product. */
static bool undo_signed_factor(Domain *a, int64_t factor, const Domain *r, Sort sort, bool *changed)
{
    int64_t slo = r->slo == INT64_MIN && sort == SORT_INT ? INT64_MIN : divide_up(r->slo, factor);
    int64_t shi = r->shi == INT64_MAX && sort == SORT_INT ? INT64_MAX : divide_down(r->shi, factor);
    return domain_signed_between(a, sort, slo, shi, changed);
}

static bool signed_product_fits(const Domain *a, int64_t factor, Sort sort)
{
    SignedBits most = (SignedBits)(bits_mask(sort) >> 1);
    return (SignedBits)a->shi * factor <= most && (SignedBits)a->slo * factor >= -most - 1;
}

static bool undo_mul(const DomainFrame *f, bool *changed)
{
    Domain *a = f->operands[0], *b = f->operands[1];
    Sort sort = f->node->sort;
    if (cannot_overflow(a, b, sort))
        return undo_factor(a, b, f->result, sort, changed) && undo_factor(b, a, f->result, sort, changed);
    if (b->slo == b->shi && b->slo > 0 && signed_product_fits(a, b->slo, sort))
        return undo_signed_factor(a, b->slo, f->result, sort, changed);
    return true;
}

static bool undo_integer_mul(const DomainFrame *f, bool *changed)
{
    const Domain *b = f->operands[1];
    if (b->slo != b->shi || b->slo <= 0 || b->slo == INT64_MAX)
        return true;
    return undo_signed_factor(f->operands[0], b->slo, f->result, SORT_INT, changed);
}

/* r = a / c for a known c > 0: a is in r.lo * c .. r.hi * c + c - 1. */
static bool undo_udiv(const DomainFrame *f, bool *changed)
{
    const Domain *b = f->operands[1], *r = f->result;
    if (b->lo != b->hi || b->lo == 0)
        return true;
    Bits least = (Bits)r->lo * b->lo, most = (Bits)r->hi * b->lo + b->lo - 1;
    if (least > UINT64_MAX)
        return false;
    if (!domain_at_least(f->operands[0], f->node->sort, (uint64_t)least, changed))
        return false;
    return most > UINT64_MAX || domain_at_most(f->operands[0], f->node->sort, (uint64_t)most, changed);
}

static int64_t saturate(SignedBits value)
{
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

/* The same for quotients that are rounded towards zero; of integers too. */
static bool undo_signed_division(const DomainFrame *f, bool *changed)
{
    const Domain *b = f->operands[1], *r = f->result;
    int64_t c = b->slo;
    bool is_int = f->node->sort == SORT_INT;
    if (b->slo != b->shi || c <= 0 || c == INT64_MAX)
        return true;
    SignedBits slo = (SignedBits)r->slo * c - (r->slo <= 0 ? c - 1 : 0);
    SignedBits shi = (SignedBits)r->shi * c + (r->shi >= 0 ? c - 1 : 0);
    if (is_int && (r->slo == INT64_MIN || slo <= INT64_MIN))
        slo = INT64_MIN;
    if (is_int && (r->shi == INT64_MAX || shi >= INT64_MAX))
        shi = INT64_MAX;
    if (is_int && (slo >= INT64_MAX || shi <= INT64_MIN))
        return true; /* bounds beyond what a domain can say */
    return domain_signed_between(f->operands[0], f->node->sort, saturate(slo), saturate(shi), changed);
}

/* ---- Bits -------------------------------------------------------------------------------- */

static bool learn_bits(Domain *d, uint64_t zeros, uint64_t ones, Sort sort, bool *changed)
{
    Domain known = domain_top(sort);
    known.zeros |= zeros;
    known.ones |= ones & (uint64_t)bits_mask(sort);
    return domain_meet(d, &known, sort, changed);
}

static bool undo_and(const DomainFrame *f, bool *changed)
{
    Domain *a = f->operands[0], *b = f->operands[1], *r = f->result;
    Sort sort = f->node->sort;
    return learn_bits(a, r->zeros & b->ones, r->ones, sort, changed) &&
           learn_bits(b, r->zeros & a->ones, r->ones, sort, changed) &&
           domain_at_least(a, sort, r->lo, changed) && domain_at_least(b, sort, r->lo, changed);
}

static bool undo_or(const DomainFrame *f, bool *changed)
{
    Domain *a = f->operands[0], *b = f->operands[1], *r = f->result;
    Sort sort = f->node->sort;
    return learn_bits(a, r->zeros, r->ones & b->zeros, sort, changed) &&
           learn_bits(b, r->zeros, r->ones & a->zeros, sort, changed) &&
           domain_at_most(a, sort, r->hi, changed) && domain_at_most(b, sort, r->hi, changed);
}

/* ---- Shapes -------------------------------------------------------------------------------- */

static bool undo_concat(const DomainFrame *f, bool *changed)
{
    Domain *high = f->operands[0], *low = f->operands[1], *r = f->result;
    Sort low_sort = f->sorts[1];
    uint64_t low_mask = (uint64_t)bits_mask(low_sort);
    if (!learn_bits(low, r->zeros & low_mask, r->ones & low_mask, low_sort, changed) ||
        !learn_bits(high, r->zeros >> low_sort, r->ones >> low_sort, f->sorts[0], changed) ||
        !domain_at_least(high, f->sorts[0], r->lo >> low_sort, changed) ||
        !domain_at_most(high, f->sorts[0], r->hi >> low_sort, changed))
        return false;
    if (r->lo >> low_sort != r->hi >> low_sort)
        return true;
    return domain_at_least(low, low_sort, r->lo & low_mask, changed) &&
           domain_at_most(low, low_sort, r->hi & low_mask, changed);
}

static bool undo_extract(const DomainFrame *f, bool *changed)
{
    Domain *a = f->operands[0], *r = f->result;
    unsigned low = f->node->word[1], width = f->node->sort;
    uint64_t mask = (uint64_t)bits_mask(f->node->sort);
    if (!learn_bits(a, (r->zeros & mask) << low, r->ones << low, f->sorts[0], changed))
        return false;
    if (low + width < f->sorts[0] && a->hi >> low > mask)
        return true; /* bits above the extracted ones are open */
    return domain_at_least(a, f->sorts[0], r->lo << low, changed) &&
           domain_at_most(a, f->sorts[0], r->hi << low | (((uint64_t)1 << low) - 1), changed);
}

static bool undo_zext(const DomainFrame *f, bool *changed)
{
    Domain *a = f->operands[0], *r = f->result;
    Sort sort = f->sorts[0];
    uint64_t mask = (uint64_t)bits_mask(sort);
    return r->lo <= mask && domain_at_least(a, sort, r->lo, changed) && domain_at_most(a, sort, r->hi, changed) &&
           learn_bits(a, r->zeros & mask, r->ones & mask, sort, changed);
}

static bool undo_sext(const DomainFrame *f, bool *changed)
{
    Domain *a = f->operands[0], *r = f->result;
    Sort sort = f->sorts[0];
    uint64_t mask = (uint64_t)bits_mask(sort);
    return domain_signed_between(a, sort, r->slo, r->shi, changed) &&
           learn_bits(a, r->zeros & mask, r->ones & mask, sort, changed);
}

/* ---- Choices and comparisons ---------------------------------------------------------------- */

static bool set_truth(Domain *condition, bool value, bool *changed)
{
    Domain known = domain_const(SORT_BOOL, value);
    return domain_meet(condition, &known, SORT_BOOL, changed);
}

static bool is_apart(const Domain *a, const Domain *b, Sort sort)
{
    Domain copy = *a;
    bool changed;
    return !domain_meet(&copy, b, sort, &changed);
}

static bool undo_ite(const DomainFrame *f, bool *changed)
{
    Domain *condition = f->operands[0], *r = f->result;
    Sort sort = f->node->sort;
    if (is_apart(f->operands[1], r, sort) && !set_truth(condition, false, changed))
        return false;
    if (is_apart(f->operands[2], r, sort) && !set_truth(condition, true, changed))
        return false;
    if (condition->lo == 1)
        return domain_meet(f->operands[1], r, sort, changed);
    return condition->hi == 1 || domain_meet(f->operands[2], r, sort, changed);
}

/* a != the only value of b. */
static bool exclude(Domain *a, const Domain *b, Sort sort, bool *changed)
{
    Bits value;
    if (!domain_is_single(b, sort, &value))
        return true;
    int64_t v = b->slo;
    if (sort == SORT_INT) {
        if (a->slo == v && a->shi == v)
            return false;
        return domain_signed_between(a, sort, a->slo == v ? v + 1 : a->slo, a->shi == v ? v - 1 : a->shi, changed);
    }
    if (a->lo == a->hi)
        return a->lo != b->lo;
    if (a->lo == b->lo && !domain_at_least(a, sort, b->lo + 1, changed))
        return false;
    if (a->hi == b->lo && !domain_at_most(a, sort, b->lo - 1, changed))
        return false;
    if (a->slo == v && a->slo < a->shi && !domain_signed_between(a, sort, v + 1, a->shi, changed))
        return false;
    return a->shi != v || a->slo == a->shi || domain_signed_between(a, sort, a->slo, v - 1, changed);
}

static bool undo_eq(const DomainFrame *f, bool *changed)
{
    Domain *a = f->operands[0], *b = f->operands[1];
    Sort sort = f->sorts[0];
    if (f->result->lo == 1)
        return domain_meet(a, b, sort, changed) && domain_meet(b, a, sort, changed);
    return f->result->hi == 1 || (exclude(a, b, sort, changed) && exclude(b, a, sort, changed));
}

/* small < large, or small <= large. */
static bool order_unsigned(Domain *small, Domain *large, Sort sort, bool strict, bool *changed)
{
    if (strict && (large->hi == 0 || small->lo == UINT64_MAX))
        return false;
    return domain_at_most(small, sort, large->hi - strict, changed) &&
           domain_at_least(large, sort, small->lo + strict, changed);
}

static bool order_signed(Domain *small, Domain *large, Sort sort, bool strict, bool *changed)
{
    bool no_upper = sort == SORT_INT && large->shi == INT64_MAX, no_lower = sort == SORT_INT && small->slo == INT64_MIN;
    if (strict && (large->shi == INT64_MIN || small->slo == INT64_MAX))
        return sort == SORT_INT; /* integers are unbounded */
    if (!no_upper && !domain_signed_between(small, sort, small->slo, large->shi - strict, changed))
        return false;
    return no_lower || domain_signed_between(large, sort, small->slo + strict, large->shi, changed);
}

static bool undo_order(const DomainFrame *f, bool is_signed, bool strict, bool *changed)
{
    Domain *a = f->operands[0], *b = f->operands[1];
    Sort sort = f->sorts[0];
    if (f->result->lo != f->result->hi)
        return true;
    bool holds = f->result->lo == 1;
    Domain *small = holds ? a : b, *large = holds ? b : a;
    return is_signed ? order_signed(small, large, sort, holds == strict, changed)
                     : order_unsigned(small, large, sort, holds == strict, changed);
}

/* ---- All ---------------------------------------------------------------------------------------- */

static bool backward_integer(const DomainFrame *f, bool *changed)
{
    switch (f->node->op) {
    case EXPR_IADD: return undo_add(f, EXPR_ISUB, changed);
    case EXPR_ISUB: return undo_sub(f, EXPR_IADD, EXPR_ISUB, changed);
    case EXPR_IMUL: return undo_integer_mul(f, changed);
    case EXPR_INEG: return meet_with(f, 0, EXPR_INEG, f->result, NULL, changed);
    case EXPR_IQUO: return undo_signed_division(f, changed);
    case EXPR_ILT: return undo_order(f, true, true, changed);
    case EXPR_ILE: return undo_order(f, true, false, changed);
    case EXPR_EQ: return undo_eq(f, changed);
    default: return true;
    }
}

static bool backward_bits(const DomainFrame *f, bool *changed)
{
    switch (f->node->op) {
    case EXPR_ADD: return undo_add(f, EXPR_SUB, changed);
    case EXPR_SUB: return undo_sub(f, EXPR_ADD, EXPR_SUB, changed);
    case EXPR_NEG: return meet_with(f, 0, EXPR_NEG, f->result, NULL, changed);
    case EXPR_NOT: return meet_with(f, 0, EXPR_NOT, f->result, NULL, changed);
    case EXPR_XOR: return undo_xor(f, changed);
    case EXPR_MUL: return undo_mul(f, changed);
    case EXPR_UDIV: return undo_udiv(f, changed);
    case EXPR_SDIV: return undo_signed_division(f, changed);
    case EXPR_AND: return undo_and(f, changed);
    case EXPR_OR: return undo_or(f, changed);
    case EXPR_CONCAT: return undo_concat(f, changed);
    case EXPR_EXTRACT: return undo_extract(f, changed);
    case EXPR_ZEXT: return undo_zext(f, changed);
    case EXPR_SEXT: return undo_sext(f, changed);
    case EXPR_EQ: return undo_eq(f, changed);
    case EXPR_ULT: return undo_order(f, false, true, changed);
    case EXPR_ULE: return undo_order(f, false, false, changed);
    case EXPR_SLT: return undo_order(f, true, true, changed);
    case EXPR_SLE: return undo_order(f, true, false, changed);
    default: return true;
    }
}

bool domain_backward(const DomainFrame *f, bool *changed)
{
    const ExprNode *node = f->node;
    if (node->op == EXPR_ITE)
        return undo_ite(f, changed);
    if (node->sort > 64 || f->sorts[0] > 64 || f->sorts[1] > 64)
        return true;
    return f->sorts[0] == SORT_INT ? backward_integer(f, changed) : backward_bits(f, changed);
}
