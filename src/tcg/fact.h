/* fact.h - one part of a path condition: a comparison of a linear sum with a bound, or any other Boolean */
#ifndef TCG_FACT_H
#define TCG_FACT_H

#include "base/vec.h"
#include "sym/expr/expr.h"

typedef enum FactKind { FACT_EQ, FACT_NE, FACT_AT_MOST, FACT_AT_LEAST, FACT_HOLDS } FactKind;

/* An input, or an expression that is no sum, times a number. */
typedef struct Term {
    ExprId atom;
    SignedBits factor;
} Term;

typedef VEC(Term) Terms;

/* The sum of the terms is related to the bound; or `whole` holds (FACT_HOLDS). The factor of the first term is
 * positive. The owner of a fact frees its terms (VEC_FREE). */
typedef struct Fact {
    FactKind relation;
    Terms terms;
    SignedBits bound;
    ExprId whole;
    bool settled; /* it determines an input, which does not occur in the other facts any more */
} Fact;

/* Sets relation, terms and bound from `whole`. FACT_HOLDS without terms if it is no comparison of integers, or if its
 * numbers exceed SignedBits. */
void fact_analyse(const ExprPool *pool, Fact *fact);
/* The inverse: an expression with the meaning of relation, terms and bound; `whole` for FACT_HOLDS. */
ExprId fact_express(ExprPool *pool, const Fact *fact);

/* False if one of them is FACT_HOLDS. */
bool facts_have_same_terms(const Fact *a, const Fact *b);
/* FACT_AT_MOST or FACT_AT_LEAST? */
bool fact_is_bound(const Fact *fact);
/* Is `sum` the sum of the bounds a and b, or weaker? Then it holds where both do. All three are bounds. */
bool facts_imply(const Fact *a, const Fact *b, const Fact *sum);

#endif
