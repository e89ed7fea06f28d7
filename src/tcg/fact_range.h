/* fact_range.h - the values that a sum of terms can have, and facts with the same terms merged through them */
#ifndef TCG_FACT_RANGE_H
#define TCG_FACT_RANGE_H

#include "tcg/fact.h"

/* Bounds of an integer; each may be missing. */
typedef struct IntegerRange {
    SignedBits low, high;
    bool has_low, has_high;
} IntegerRange;

/* What is known of a fact's terms without any fact: the declared range if they are a single input. */
IntegerRange fact_range(const ExprPool *pool, const Fact *fact);
/* Adds what a fact about these terms says; FACT_NE and FACT_HOLDS add nothing. */
void fact_range_narrow(IntegerRange *range, const Fact *fact);
/* Does the relation to the bound hold for the values? 1: for all, -1: for none, 0: not known. */
int fact_range_decides(const IntegerRange *values, FactKind relation, SignedBits bound);

/* Merges facts with the same terms: those with keep[i] set are as few as possible and mean the same as all. Relation
 * and bound of the facts change, `whole` does not. */
void facts_merge(const ExprPool *pool, Fact **members, uint32_t count, bool *keep);

#endif
