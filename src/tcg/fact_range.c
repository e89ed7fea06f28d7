/* fact_range.c - see fact_range.h */
#include "tcg/fact_range.h"

#include <string.h>

IntegerRange fact_range(const ExprPool *pool, const Fact *fact)
{
    IntegerRange range = {0};
    const ExprNode *node = expr_get(pool, fact->terms.items[0].atom);
    if (fact->terms.count == 1 && fact->terms.items[0].factor == 1 && node->op == EXPR_INPUT) {
        const InputRange *limits = &input_get(pool->inputs, (InputId){node->word[0]})->range;
        range = (IntegerRange){(SignedBits)limits->low, (SignedBits)limits->high, limits->limited, limits->limited};
    }
    return range;
}

void fact_range_narrow(IntegerRange *range, const Fact *fact)
{
    bool low = fact->relation == FACT_AT_LEAST || fact->relation == FACT_EQ;
    bool high = fact->relation == FACT_AT_MOST || fact->relation == FACT_EQ;
    if (low && (!range->has_low || fact->bound > range->low)) {
        range->low = fact->bound;
        range->has_low = true;
    }
    if (high && (!range->has_high || fact->bound < range->high)) {
        range->high = fact->bound;
        range->has_high = true;
    }
}

/* Moves the bounds of the range past values that members exclude. */
static void narrow_by_holes(IntegerRange *range, const Fact *const *members, uint32_t count)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            if (members[i]->relation != FACT_NE)
                continue;
            bool low = range->has_low && range->low == members[i]->bound,
                 high = range->has_high && range->high == members[i]->bound;
            range->low += low;
            range->high -= high;
            changed = changed || low || high;
        }
    }
}

static bool contains(const IntegerRange *range, SignedBits value)
{
    return !(range->has_low && value < range->low) && !(range->has_high && value > range->high);
}

int fact_range_decides(const IntegerRange *values, FactKind relation, SignedBits bound)
{
    switch (relation) {
    case FACT_AT_MOST:
        return values->has_high && values->high <= bound ? 1 : values->has_low && values->low > bound ? -1 : 0;
    case FACT_AT_LEAST:
        return values->has_low && values->low >= bound ? 1 : values->has_high && values->high < bound ? -1 : 0;
    case FACT_EQ:
        return !contains(values, bound)                                             ? -1
               : values->has_low && values->has_high && values->low == values->high ? 1
                                                                                    : 0;
    case FACT_NE: return -fact_range_decides(values, FACT_EQ, bound);
    default: return 0;
    }
}

static void keep_fact(Fact *fact, FactKind relation, SignedBits bound, bool *keep)
{
    fact->relation = relation;
    fact->bound = bound;
    *keep = true;
}

void facts_merge(const ExprPool *pool, Fact **members, uint32_t count, bool *keep)
{
    IntegerRange range = fact_range(pool, members[0]), said = {0}, both = range;
    for (uint32_t i = 0; i < count; i++) {
        fact_range_narrow(&said, members[i]);
        fact_range_narrow(&both, members[i]);
        keep[i] = false;
    }
    narrow_by_holes(&both, (const Fact *const *)members, count);
    narrow_by_holes(&said, (const Fact *const *)members, count);
    if (both.has_low && both.has_high && both.low > both.high) {
        memset(keep, true, count); /* unsatisfiable: no path has such a condition */
        return;
    }
    if (both.has_low && both.has_high && both.low == both.high) {
        keep_fact(members[0], FACT_EQ, both.low, &keep[0]);
        return;
    }
    bool low = said.has_low && !(range.has_low && said.low <= range.low);
    bool high = said.has_high && !(range.has_high && said.high >= range.high);
    for (uint32_t i = 0; i < count; i++) {
        Fact *fact = members[i];
        if (fact->relation == FACT_NE) {
            bool again = false;
            for (uint32_t k = 0; k < i; k++)
                again = again || (keep[k] && members[k]->relation == FACT_NE && members[k]->bound == fact->bound);
            keep[i] = contains(&said, fact->bound) && contains(&range, fact->bound) && !again;
        } else if (fact->relation == FACT_AT_LEAST && low) {
            keep_fact(fact, FACT_AT_LEAST, said.low, &keep[i]);
            low = false;
        } else if (fact->relation == FACT_AT_MOST && high) {
            keep_fact(fact, FACT_AT_MOST, said.high, &keep[i]);
            high = false;
        }
    }
}
