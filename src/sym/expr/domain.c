/* domain.c - see domain.h: the sets themselves */
#include "sym/expr/domain.h"

static uint64_t mask_of(Sort sort)
{
    return (uint64_t)bits_mask(sort);
}

static int64_t sign_extend(uint64_t value, Sort sort)
{
    return (int64_t)(value << (64 - sort)) >> (64 - sort);
}

static bool is_narrow(Sort sort)
{
    return sort != SORT_INT && sort <= 64;
}

/* ---- Making ------------------------------------------------------------------- */

Domain domain_top(Sort sort)
{
    Domain d = {.hi = UINT64_MAX, .slo = INT64_MIN, .shi = INT64_MAX};
    if (!is_narrow(sort))
        return d;
    d.hi = mask_of(sort);
    d.slo = -(int64_t)(d.hi >> 1) - 1;
    d.shi = (int64_t)(d.hi >> 1);
    d.zeros = ~d.hi;
    return d;
}

static Domain integer_const(SignedBits value)
{
    Domain d = domain_top(SORT_INT);
    if (value > INT64_MIN)
        d.slo = value < INT64_MAX ? (int64_t)value : INT64_MAX - 1;
    if (value < INT64_MAX)
        d.shi = value > INT64_MIN ? (int64_t)value : INT64_MIN + 1;
    return d;
}

Domain domain_const(Sort sort, Bits value)
{
    if (sort == SORT_INT)
        return integer_const((SignedBits)value);
    if (sort > 64)
        return domain_top(sort);
    uint64_t v = (uint64_t)value;
    return (Domain){v, v, sign_extend(v, sort), sign_extend(v, sort), ~v, v};
}

/* ---- Asking ------------------------------------------------------------------- */

bool domain_is_single(const Domain *d, Sort sort, Bits *value)
{
    if (is_narrow(sort) && d->lo == d->hi) {
        *value = d->lo;
        return true;
    }
    if (sort == SORT_INT && d->slo == d->shi && d->slo != INT64_MIN && d->slo != INT64_MAX) {
        *value = (Bits)(SignedBits)d->slo;
        return true;
    }
    return false;
}

bool domain_contains(const Domain *d, Sort sort, Bits value)
{
    Domain single = domain_const(sort, value);
    bool changed;
    return domain_meet(&single, d, sort, &changed);
}

/* ---- Narrowing ------------------------------------------------------------------ */

static void raise(uint64_t *bound, uint64_t value)
{
    *bound = *bound > value ? *bound : value;
}

static void lower(uint64_t *bound, uint64_t value)
{
    *bound = *bound < value ? *bound : value;
}

static void raise_signed(int64_t *bound, int64_t value)
{
    *bound = *bound > value ? *bound : value;
}

static void lower_signed(int64_t *bound, int64_t value)
{
    *bound = *bound < value ? *bound : value;
}

/* The bits above the highest one in which the bounds differ are known. */
static void learn_bits(Domain *d)
{
    uint64_t differ = d->lo ^ d->hi;
    uint64_t known = differ == 0 ? UINT64_MAX : ~(UINT64_MAX >> __builtin_clzll(differ));
    d->ones |= d->lo & known;
    d->zeros |= ~d->lo & known;
}

/* Between the unsigned and the signed bounds, once the sign is known. */
static void learn_bounds(Domain *d, Sort sort)
{
    uint64_t top = (uint64_t)1 << (sort - 1);
    if (d->hi < top || d->lo >= top) {
        raise_signed(&d->slo, sign_extend(d->lo, sort));
        lower_signed(&d->shi, sign_extend(d->hi, sort));
    }
    if (d->slo >= 0 || d->shi < 0) {
        raise(&d->lo, (uint64_t)d->slo & mask_of(sort));
        lower(&d->hi, (uint64_t)d->shi & mask_of(sort));
    }
}

bool domain_reduce(Domain *d, Sort sort)
{
    if (!is_narrow(sort))
        return d->slo <= d->shi;
    for (int round = 0; round < 4; round++) {
        Domain before = *d;
        raise(&d->lo, d->ones);
        lower(&d->hi, ~d->zeros);
        if (d->lo > d->hi || d->slo > d->shi)
            return false;
        learn_bits(d);
        learn_bounds(d, sort);
        if (d->lo > d->hi || d->slo > d->shi || (d->ones & d->zeros))
            return false;
        if (before.lo == d->lo && before.hi == d->hi && before.slo == d->slo && before.shi == d->shi)
            break;
    }
    return true;
}

static bool is_smaller(const Domain *d, const Domain *before)
{
    return d->lo != before->lo || d->hi != before->hi || d->slo != before->slo || d->shi != before->shi ||
           d->ones != before->ones || d->zeros != before->zeros;
}

bool domain_meet(Domain *d, const Domain *other, Sort sort, bool *changed)
{
    Domain before = *d;
    raise_signed(&d->slo, other->slo);
    lower_signed(&d->shi, other->shi);
    raise(&d->lo, other->lo);
    lower(&d->hi, other->hi);
    d->zeros |= other->zeros;
    d->ones |= other->ones;
    if (!is_smaller(d, &before))
        return true;
    *changed = true;
    return domain_reduce(d, sort);
}

bool domain_at_most(Domain *d, Sort sort, uint64_t hi, bool *changed)
{
    if (hi >= d->hi)
        return true;
    *changed = true;
    d->hi = hi;
    return domain_reduce(d, sort);
}

bool domain_at_least(Domain *d, Sort sort, uint64_t lo, bool *changed)
{
    if (lo <= d->lo)
        return true;
    *changed = true;
    d->lo = lo;
    return domain_reduce(d, sort);
}

bool domain_signed_between(Domain *d, Sort sort, int64_t slo, int64_t shi, bool *changed)
{
    if (slo <= d->slo && shi >= d->shi)
        return true;
    *changed = true;
    raise_signed(&d->slo, slo);
    lower_signed(&d->shi, shi);
    return domain_reduce(d, sort);
}
