/* fact.c - see fact.h */
#include "tcg/fact.h"

#include <string.h>

/* ---- Sums -------------------------------------------------------------------------------------- */

typedef struct LinearSum {
    Terms terms;
    SignedBits constant;
} LinearSum;

static bool add_term(LinearSum *sum, ExprId atom, SignedBits factor)
{
    for (uint32_t i = 0; i < sum->terms.count; i++)
        if (expr_same(sum->terms.items[i].atom, atom))
            return !__builtin_add_overflow(sum->terms.items[i].factor, factor, &sum->terms.items[i].factor);
    VEC_PUSH(&sum->terms, ((Term){atom, factor}));
    return true;
}

/* Adds `factor` times the expression; false if a number becomes too large. */
static bool add_sum(const ExprPool *pool, LinearSum *sum, ExprId e, SignedBits factor)
{
    const ExprNode *node = expr_get(pool, e);
    ExprId a = expr_operand(node, 0), b = expr_operand(node, 1);
    SignedBits product;
    Bits value;
    switch (node->op) {
    case EXPR_CONST:
        return !__builtin_mul_overflow((SignedBits)expr_value(node), factor, &product) &&
               !__builtin_add_overflow(sum->constant, product, &sum->constant);
    case EXPR_IADD: return add_sum(pool, sum, a, factor) && add_sum(pool, sum, b, factor);
    case EXPR_ISUB:
        return add_sum(pool, sum, a, factor) && !__builtin_sub_overflow(0, factor, &product) &&
               add_sum(pool, sum, b, product);
    case EXPR_INEG: return !__builtin_sub_overflow(0, factor, &product) && add_sum(pool, sum, a, product);
    case EXPR_IMUL:
        if (expr_is_const(pool, b, &value))
            return !__builtin_mul_overflow((SignedBits)value, factor, &product) && add_sum(pool, sum, a, product);
        return add_term(sum, e, factor);
    default: return add_term(sum, e, factor);
    }
}

static const char *name_of(const ExprPool *pool, ExprId atom, uint32_t *number)
{
    const ExprNode *node = expr_get(pool, atom);
    const Input *input = node->op == EXPR_INPUT ? input_get(pool->inputs, (InputId){node->word[0]}) : NULL;
    *number = input ? input->number : atom.id;
    return input ? input->name : NULL;
}

/* Inputs by name before other atoms, so that a fact has the same form in all tests. */
static bool comes_before(const ExprPool *pool, ExprId a, ExprId b)
{
    uint32_t x, y;
    const char *first = name_of(pool, a, &x), *second = name_of(pool, b, &y);
    int order = first && second ? strcmp(first, second) : (first == NULL) - (second == NULL);
    return order ? order < 0 : x < y;
}

static void sort_terms(const ExprPool *pool, Terms *terms)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < terms->count; i++)
        if (terms->items[i].factor)
            terms->items[kept++] = terms->items[i];
    terms->count = kept;
    for (uint32_t i = 1; i < kept; i++) {
        Term term = terms->items[i];
        uint32_t k = i;
        for (; k > 0 && comes_before(pool, term.atom, terms->items[k - 1].atom); k--)
            terms->items[k] = terms->items[k - 1];
        terms->items[k] = term;
    }
}

/* ---- Comparisons as facts ------------------------------------------------------------------------ */

static SignedBits divide_down(SignedBits a, SignedBits b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

static FactKind turn(FactKind relation)
{
    return relation == FACT_AT_MOST ? FACT_AT_LEAST : relation == FACT_AT_LEAST ? FACT_AT_MOST : relation;
}

/* First factor positive, no common divisor. */
static void normalise(Fact *fact)
{
    SignedBits divisor = 0;
    if (fact->terms.items[0].factor < 0) {
        for (uint32_t i = 0; i < fact->terms.count; i++)
            fact->terms.items[i].factor = -fact->terms.items[i].factor;
        fact->bound = -fact->bound;
        fact->relation = turn(fact->relation);
    }
    for (uint32_t i = 0; i < fact->terms.count; i++)
        for (SignedBits x = fact->terms.items[i].factor; x;) {
            SignedBits rest = divisor % x;
            divisor = x;
            x = rest;
        }
    if (divisor < 0)
        divisor = -divisor;
    if (fact->relation <= FACT_NE && fact->bound % divisor)
        return; /* always true or always false, which expressions do not notice: unchanged */
    for (uint32_t i = 0; i < fact->terms.count; i++)
        fact->terms.items[i].factor /= divisor;
    fact->bound =
        fact->relation == FACT_AT_LEAST ? -divide_down(-fact->bound, divisor) : divide_down(fact->bound, divisor);
}

static bool relation_of(const ExprPool *pool, const ExprNode *node, bool negated, FactKind *relation)
{
    switch (node->op) {
    case EXPR_EQ:
        *relation = negated ? FACT_NE : FACT_EQ;
        return expr_sort(pool, expr_operand(node, 0)) == SORT_INT;
    case EXPR_ILT:
    case EXPR_ILE: *relation = negated ? FACT_AT_LEAST : FACT_AT_MOST; return true;
    default: return false;
    }
}

void fact_analyse(const ExprPool *pool, Fact *fact)
{
    const ExprNode *node = expr_get(pool, fact->whole);
    bool negated = node->op == EXPR_NOT && node->sort == SORT_BOOL;
    if (negated)
        node = expr_get(pool, expr_operand(node, 0));
    FactKind relation;
    LinearSum sum = {0};
    SignedBits strict = node->op == EXPR_ILT && !negated ? -1 : node->op == EXPR_ILE && negated ? 1 : 0;
    VEC_FREE(&fact->terms);
    fact->relation = FACT_HOLDS;
    if (!relation_of(pool, node, negated, &relation) || !add_sum(pool, &sum, expr_operand(node, 0), 1) ||
        !add_sum(pool, &sum, expr_operand(node, 1), -1) || __builtin_sub_overflow(0, sum.constant, &sum.constant) ||
        __builtin_add_overflow(sum.constant, strict, &sum.constant)) {
        VEC_FREE(&sum.terms);
        return;
    }
    sort_terms(pool, &sum.terms);
    if (sum.terms.count == 0) {
        VEC_FREE(&sum.terms);
        return;
    }
    fact->relation = relation;
    fact->terms = sum.terms;
    fact->bound = sum.constant;
    normalise(fact);
}

ExprId fact_express(ExprPool *pool, const Fact *fact)
{
    ExprId sum = EXPR_NONE, bound = expr_int(pool, fact->bound);
    for (uint32_t i = 0; i < fact->terms.count; i++) {
        const Term *term = &fact->terms.items[i];
        ExprId product = expr_binary(pool, EXPR_IMUL, term->atom, expr_int(pool, term->factor));
        sum = expr_is_none(sum) ? product : expr_binary(pool, EXPR_IADD, sum, product);
    }
    switch (fact->relation) {
    case FACT_EQ: return expr_binary(pool, EXPR_EQ, sum, bound);
    case FACT_NE: return expr_not(pool, expr_binary(pool, EXPR_EQ, sum, bound));
    case FACT_AT_MOST: return expr_binary(pool, EXPR_ILE, sum, bound);
    case FACT_AT_LEAST: return expr_binary(pool, EXPR_ILE, bound, sum);
    default: return fact->whole;
    }
}

bool facts_have_same_terms(const Fact *a, const Fact *b)
{
    if (a->terms.count != b->terms.count || a->relation == FACT_HOLDS || b->relation == FACT_HOLDS)
        return false;
    for (uint32_t i = 0; i < a->terms.count; i++)
        if (!expr_same(a->terms.items[i].atom, b->terms.items[i].atom) ||
            a->terms.items[i].factor != b->terms.items[i].factor)
            return false;
    return true;
}

/* ---- Implication ------------------------------------------------------------------------------- */

static SignedBits factor_in(const Fact *fact, ExprId atom)
{
    for (uint32_t i = 0; i < fact->terms.count; i++)
        if (expr_same(fact->terms.items[i].atom, atom))
            return fact->relation == FACT_AT_LEAST ? -fact->terms.items[i].factor : fact->terms.items[i].factor;
    return 0;
}

bool fact_is_bound(const Fact *fact) { return fact->relation == FACT_AT_MOST || fact->relation == FACT_AT_LEAST; }
static SignedBits upper(const Fact *fact) { return fact->relation == FACT_AT_LEAST ? -fact->bound : fact->bound; }

bool facts_imply(const Fact *a, const Fact *b, const Fact *sum)
{
    const Fact *all[] = {sum, a, b};
    SignedBits bound;
    for (uint32_t f = 0; f < 3; f++)
        for (uint32_t i = 0; i < all[f]->terms.count; i++) {
            ExprId atom = all[f]->terms.items[i].atom;
            if (factor_in(a, atom) + factor_in(b, atom) != factor_in(sum, atom))
                return false;
        }
    return !__builtin_add_overflow(upper(a), upper(b), &bound) && bound <= upper(sum);
}
