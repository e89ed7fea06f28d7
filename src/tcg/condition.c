/* condition.c - see condition.h
 *
 * Design: rounds. In each, all facts are written as sums of terms, those with the same terms are merged, and
 * what is found out about single inputs is put into the others; until nothing new comes out.
 */
#include "tcg/condition.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

enum { MOST_FOR_SUMS = 48, MOST_ROUNDS = 100 };

struct TestCondition {
    ExprPool *pool;
    VEC(Fact) facts;
    Map known;   /* node of an input -> node that replaces it           */
    Map applied; /* node -> node without known inputs; empty if `known` has changed */
};

/* ---- Lifecycle -------------------------------------------------------------------------- */

TestCondition *condition_create(ExprPool *pool)
{
    TestCondition *condition = mem_alloc(sizeof *condition);
    condition->pool = pool;
    return condition;
}

void condition_destroy(TestCondition *c)
{
    for (uint32_t i = 0; i < c->facts.count; i++)
        VEC_FREE(&c->facts.items[i].terms);
    VEC_FREE(&c->facts);
    map_release(&c->known);
    map_release(&c->applied);
    free(c);
}

/* A conjunction is several facts. */
void condition_add(TestCondition *c, ExprId holds)
{
    const ExprNode *node = expr_get(c->pool, holds);
    if (node->op == EXPR_AND && node->sort == SORT_BOOL) {
        ExprId second = expr_operand(node, 1);
        condition_add(c, expr_operand(node, 0));
        condition_add(c, second);
    } else {
        VEC_PUSH(&c->facts, ((Fact){.relation = FACT_HOLDS, .whole = holds}));
    }
}

uint32_t condition_count(const TestCondition *c) { return c->facts.count; }
const Fact *condition_get(const TestCondition *c, uint32_t i) { return &c->facts.items[i]; }

/* ---- Replacing known inputs ---------------------------------------------------------------- */

ExprId condition_apply(TestCondition *c, ExprId e)
{
    const ExprNode *node = expr_get(c->pool, e);
    uint64_t *done = map_find(node->op == EXPR_INPUT ? &c->known : &c->applied, e.id);
    if (done)
        return (ExprId){(uint32_t)*done};
    unsigned count = expr_operands((ExprOp)node->op);
    if (count == 0)
        return e;
    ExprOp op = (ExprOp)node->op;
    Sort sort = node->sort;
    ExprId operands[3] = {{node->word[0]}, {node->word[1]}, {node->word[2]}};
    for (unsigned i = 0; i < count; i++)
        operands[i] = condition_apply(c, operands[i]);
    for (unsigned i = count; i < 3 && op != EXPR_EXTRACT; i++)
        operands[i] = EXPR_NONE;
    ExprId result = expr_make(c->pool, op, sort, operands[0], operands[1], operands[2]);
    *map_insert(&c->applied, e.id, NULL) = result.id;
    return result;
}

static void replace(TestCondition *c, ExprId input, ExprId by) { *map_insert(&c->known, input.id, NULL) = by.id; }

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

/* Inputs by name before anything else, so that a fact looks the same in all tests. */
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
        return; /* decided, which expressions do not see; it stays as it is */
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

/* The fact as a sum, if it is a comparison of integers. */
static void analyse(const ExprPool *pool, Fact *fact)
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

/* The other way round: the expression of a fact. */
static ExprId express(ExprPool *pool, const Fact *fact)
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

static bool same_terms(const Fact *a, const Fact *b)
{
    if (a->terms.count != b->terms.count || a->relation == FACT_HOLDS || b->relation == FACT_HOLDS)
        return false;
    for (uint32_t i = 0; i < a->terms.count; i++)
        if (!expr_same(a->terms.items[i].atom, b->terms.items[i].atom) ||
            a->terms.items[i].factor != b->terms.items[i].factor)
            return false;
    return true;
}

/* ---- Merging -------------------------------------------------------------------------------------- */

/* What is known of a sum. */
typedef struct IntegerRange {
    SignedBits low, high;
    bool has_low, has_high;
} IntegerRange;

static bool is_input(const ExprPool *pool, ExprId e) { return expr_get(pool, e)->op == EXPR_INPUT; }

static const Input *input_of(const ExprPool *pool, ExprId e)
{
    return input_get(pool->inputs, (InputId){expr_get(pool, e)->word[0]});
}

/* What the range of an input says by itself. */
static IntegerRange range_of(const ExprPool *pool, const Fact *fact)
{
    IntegerRange range = {0};
    if (fact->terms.count == 1 && fact->terms.items[0].factor == 1 && is_input(pool, fact->terms.items[0].atom)) {
        const InputRange *limits = &input_of(pool, fact->terms.items[0].atom)->range;
        range = (IntegerRange){(SignedBits)limits->low, (SignedBits)limits->high, limits->limited, limits->limited};
    }
    return range;
}

static void narrow(IntegerRange *interval, const Fact *fact)
{
    bool low = fact->relation == FACT_AT_LEAST || fact->relation == FACT_EQ;
    bool high = fact->relation == FACT_AT_MOST || fact->relation == FACT_EQ;
    if (low && (!interval->has_low || fact->bound > interval->low)) {
        interval->low = fact->bound;
        interval->has_low = true;
    }
    if (high && (!interval->has_high || fact->bound < interval->high)) {
        interval->high = fact->bound;
        interval->has_high = true;
    }
}

/* Moves the ends off values that are excluded. */
static void narrow_by_holes(IntegerRange *interval, const Fact *const *members, uint32_t count)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            if (members[i]->relation != FACT_NE)
                continue;
            bool low = interval->has_low && interval->low == members[i]->bound,
                 high = interval->has_high && interval->high == members[i]->bound;
            interval->low += low;
            interval->high -= high;
            changed = changed || low || high;
        }
    }
}

static bool contains(const IntegerRange *interval, SignedBits value)
{
    return !(interval->has_low && value < interval->low) && !(interval->has_high && value > interval->high);
}

static void keep_fact(Fact *fact, FactKind relation, SignedBits bound, bool *keep)
{
    fact->relation = relation;
    fact->bound = bound;
    *keep = true;
}

/* The members have the same terms; as few of them stay as say the same. */
static void merge(TestCondition *c, Fact **members, uint32_t count, bool *keep)
{
    IntegerRange range = range_of(c->pool, members[0]), said = {0}, both = range;
    for (uint32_t i = 0; i < count; i++) {
        narrow(&said, members[i]);
        narrow(&both, members[i]);
        keep[i] = false;
    }
    narrow_by_holes(&both, (const Fact *const *)members, count);
    narrow_by_holes(&said, (const Fact *const *)members, count);
    if (both.has_low && both.has_high && both.low > both.high) {
        memset(keep, true, count); /* it cannot hold: no path has such a condition */
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

static void keep_only(TestCondition *c, const bool *keep)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->facts.count; i++)
        if (keep[i])
            c->facts.items[kept++] = c->facts.items[i];
        else
            VEC_FREE(&c->facts.items[i].terms);
    c->facts.count = kept;
}

static void merge_all(TestCondition *c)
{
    uint32_t count = c->facts.count;
    bool *keep = mem_alloc(count + 1), *done = mem_alloc(count + 1), *members_keep = mem_alloc(count + 1);
    Fact **members = mem_alloc((count + 1) * sizeof *members);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = 0;
        if (done[i])
            continue;
        keep[i] = true;
        if (c->facts.items[i].relation == FACT_HOLDS || c->facts.items[i].settled)
            continue;
        for (uint32_t k = i; k < count; k++)
            if (!c->facts.items[k].settled && same_terms(&c->facts.items[i], &c->facts.items[k])) {
                members[size++] = &c->facts.items[k];
                done[k] = true;
            }
        merge(c, members, size, members_keep);
        for (uint32_t m = 0; m < size; m++) {
            keep[members[m] - c->facts.items] = members_keep[m];
            members[m]->whole = express(c->pool, members[m]);
        }
    }
    keep_only(c, keep);
    free(keep);
    free(done);
    free(members_keep);
    free(members);
}

/* ---- Rounds ------------------------------------------------------------------------------------------ */

static bool same_range(const ExprPool *pool, ExprId a, ExprId b)
{
    const InputRange *x = &input_of(pool, a)->range, *y = &input_of(pool, b)->range;
    return x->limited == y->limited && (!x->limited || (x->low == y->low && x->high == y->high));
}

/* Does the fact say what an input is? Then the input is replaced by that from now on. */
static bool learn(TestCondition *c, const Fact *fact)
{
    const Terms *terms = &fact->terms;
    const ExprNode *node = expr_get(c->pool, fact->whole);
    if (fact->relation == FACT_HOLDS) {
        bool negated = node->op == EXPR_NOT;
        ExprId input = negated ? expr_operand(node, 0) : fact->whole;
        if (!is_input(c->pool, input) || map_find(&c->known, input.id))
            return false;
        replace(c, input, expr_bool(c->pool, !negated));
        return true;
    }
    if (fact->relation != FACT_EQ || !is_input(c->pool, terms->items[0].atom) || terms->items[0].factor != 1)
        return false;
    ExprId first = terms->items[0].atom, second = terms->count == 2 ? terms->items[1].atom : EXPR_NONE;
    if (terms->count == 1 && !map_find(&c->known, first.id)) {
        replace(c, first, expr_int(c->pool, fact->bound));
        return true;
    }
    if (terms->count != 2 || fact->bound || terms->items[1].factor != -1 || !is_input(c->pool, second) ||
        map_find(&c->known, first.id) || map_find(&c->known, second.id) || !same_range(c->pool, first, second))
        return false;
    replace(c, second, first);
    return true;
}

/* What is replaced may itself be replaced later. */
static void close_known(TestCondition *c)
{
    map_reset(&c->applied);
    for (uint32_t i = 0; i < c->known.room; i++)
        for (MapEntry *entry = &c->known.entries[i]; entry->key != MAP_NO_KEY && map_find(&c->known, entry->value);)
            entry->value = *map_find(&c->known, entry->value);
}

static bool learn_all(TestCondition *c)
{
    bool learnt = false;
    for (uint32_t i = 0; i < c->facts.count; i++) {
        Fact *fact = &c->facts.items[i];
        if (!fact->settled && learn(c, fact))
            learnt = fact->settled = true;
    }
    if (learnt)
        close_known(c);
    return learnt;
}

/* Without known inputs, without what is true then, and nothing twice. */
static void apply_all(TestCondition *c)
{
    bool *keep = mem_alloc(c->facts.count + 1);
    Map seen = {0};
    for (uint32_t i = 0; i < c->facts.count; i++) {
        Fact *fact = &c->facts.items[i];
        bool added = true;
        if (!fact->settled) {
            fact->whole = condition_apply(c, fact->whole);
            map_insert(&seen, fact->whole.id, &added);
        }
        keep[i] = added && !expr_is_true(c->pool, fact->whole);
    }
    keep_only(c, keep);
    map_release(&seen);
    free(keep);
}

/* ---- Questions ------------------------------------------------------------------------------------------ */

/* How the values that a sum can have are related to a bound: 1 it always is, -1 never, 0 sometimes. */
static int compare_interval(const IntegerRange *values, FactKind relation, SignedBits bound)
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
    case FACT_NE: return -compare_interval(values, FACT_EQ, bound);
    default: return 0;
    }
}

bool condition_decides(TestCondition *c, ExprId e, bool *holds)
{
    Fact asked = {.whole = condition_apply(c, e)};
    ExprId opposite = expr_not(c->pool, asked.whole);
    analyse(c->pool, &asked);
    IntegerRange values = asked.relation == FACT_HOLDS ? (IntegerRange){0} : range_of(c->pool, &asked);
    int answer = expr_is_true(c->pool, asked.whole) ? 1 : expr_is_false(c->pool, asked.whole) ? -1 : 0;
    for (uint32_t i = 0; i < c->facts.count && !answer; i++) {
        const Fact *fact = &c->facts.items[i];
        if (expr_same(fact->whole, asked.whole) || expr_same(fact->whole, opposite))
            answer = expr_same(fact->whole, asked.whole) ? 1 : -1;
        else if (same_terms(fact, &asked))
            narrow(&values, fact);
    }
    if (!answer)
        answer = compare_interval(&values, asked.relation, asked.bound);
    VEC_FREE(&asked.terms);
    *holds = answer > 0;
    return answer != 0;
}

/* ---- What follows from two others ---------------------------------------------------------------------- */

static SignedBits factor_in(const Fact *fact, ExprId atom)
{
    for (uint32_t i = 0; i < fact->terms.count; i++)
        if (expr_same(fact->terms.items[i].atom, atom))
            return fact->relation == FACT_AT_LEAST ? -fact->terms.items[i].factor : fact->terms.items[i].factor;
    return 0;
}

static bool is_bound(const Fact *fact) { return fact->relation == FACT_AT_MOST || fact->relation == FACT_AT_LEAST; }
static SignedBits upper(const Fact *fact) { return fact->relation == FACT_AT_LEAST ? -fact->bound : fact->bound; }

static bool adds_up(const Fact *sum, const Fact *a, const Fact *b)
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

static bool follows(const TestCondition *c, const bool *keep, uint32_t which)
{
    for (uint32_t a = 0; a < c->facts.count; a++)
        for (uint32_t b = a + 1; b < c->facts.count && keep[a] && a != which && is_bound(&c->facts.items[a]); b++)
            if (keep[b] && b != which && is_bound(&c->facts.items[b]) &&
                adds_up(&c->facts.items[which], &c->facts.items[a], &c->facts.items[b]))
                return true;
    return false;
}

static void drop_sums(TestCondition *c)
{
    bool *keep = mem_alloc(c->facts.count + 1);
    memset(keep, true, c->facts.count);
    for (uint32_t i = 0; i < c->facts.count && c->facts.count <= MOST_FOR_SUMS; i++)
        keep[i] = !is_bound(&c->facts.items[i]) || !follows(c, keep, i);
    keep_only(c, keep);
    free(keep);
}

void condition_settle(TestCondition *c)
{
    uint32_t rounds = 0;
    do {
        apply_all(c);
        for (uint32_t i = 0; i < c->facts.count; i++)
            if (!c->facts.items[i].settled)
                analyse(c->pool, &c->facts.items[i]);
        merge_all(c);
    } while (learn_all(c) && ++rounds < MOST_ROUNDS);
    drop_sums(c);
}
