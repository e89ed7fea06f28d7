/* condition.c - see condition.h
 *
 * Design: a fixed point. Each iteration writes all facts as sums of terms, merges those with the same terms, and
 * substitutes the inputs that are determined by then in all other facts.
 */
#include "tcg/condition.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "tcg/fact_range.h"

enum { MOST_FOR_SUMS = 48, MOST_ITERATIONS = 100 };

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

/* ---- Merging ------------------------------------------------------------------------------------- */

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
            if (!c->facts.items[k].settled && facts_have_same_terms(&c->facts.items[i], &c->facts.items[k])) {
                members[size++] = &c->facts.items[k];
                done[k] = true;
            }
        facts_merge(c->pool, members, size, members_keep);
        for (uint32_t m = 0; m < size; m++) {
            keep[members[m] - c->facts.items] = members_keep[m];
            members[m]->whole = fact_express(c->pool, members[m]);
        }
    }
    keep_only(c, keep);
    free(keep);
    free(done);
    free(members_keep);
    free(members);
}

/* ---- Learning ------------------------------------------------------------------------------------ */

static bool is_input(const ExprPool *pool, ExprId e) { return expr_get(pool, e)->op == EXPR_INPUT; }

static const Input *input_of(const ExprPool *pool, ExprId e)
{
    return input_get(pool->inputs, (InputId){expr_get(pool, e)->word[0]});
}

static bool same_range(const ExprPool *pool, ExprId a, ExprId b)
{
    const InputRange *x = &input_of(pool, a)->range, *y = &input_of(pool, b)->range;
    return x->limited == y->limited && (!x->limited || (x->low == y->low && x->high == y->high));
}

/* Does the fact determine an input? Then the input is replaced from now on. */
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

/* A replacement may itself have been replaced since. */
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

/* Replaces determined inputs; drops facts that become true and duplicates. */
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

/* ---- Facts implied by two others ----------------------------------------------------------------- */

static bool is_implied(const TestCondition *c, const bool *keep, uint32_t which)
{
    for (uint32_t a = 0; a < c->facts.count; a++)
        for (uint32_t b = a + 1; b < c->facts.count && keep[a] && a != which && fact_is_bound(&c->facts.items[a]); b++)
            if (keep[b] && b != which && fact_is_bound(&c->facts.items[b]) &&
                facts_imply(&c->facts.items[a], &c->facts.items[b], &c->facts.items[which]))
                return true;
    return false;
}

static void drop_implied(TestCondition *c)
{
    bool *keep = mem_alloc(c->facts.count + 1);
    memset(keep, true, c->facts.count);
    for (uint32_t i = 0; i < c->facts.count && c->facts.count <= MOST_FOR_SUMS; i++)
        keep[i] = !fact_is_bound(&c->facts.items[i]) || !is_implied(c, keep, i);
    keep_only(c, keep);
    free(keep);
}

void condition_settle(TestCondition *c)
{
    uint32_t iterations = 0;
    do {
        apply_all(c);
        for (uint32_t i = 0; i < c->facts.count; i++)
            if (!c->facts.items[i].settled)
                fact_analyse(c->pool, &c->facts.items[i]);
        merge_all(c);
    } while (learn_all(c) && ++iterations < MOST_ITERATIONS);
    drop_implied(c);
}

/* ---- Questions ----------------------------------------------------------------------------------- */

bool condition_decides(TestCondition *c, ExprId e, bool *holds)
{
    Fact asked = {.whole = condition_apply(c, e)};
    ExprId opposite = expr_not(c->pool, asked.whole);
    fact_analyse(c->pool, &asked);
    IntegerRange values = asked.relation == FACT_HOLDS ? (IntegerRange){0} : fact_range(c->pool, &asked);
    int answer = expr_is_true(c->pool, asked.whole) ? 1 : expr_is_false(c->pool, asked.whole) ? -1 : 0;
    for (uint32_t i = 0; i < c->facts.count && !answer; i++) {
        const Fact *fact = &c->facts.items[i];
        if (expr_same(fact->whole, asked.whole) || expr_same(fact->whole, opposite))
            answer = expr_same(fact->whole, asked.whole) ? 1 : -1;
        else if (facts_have_same_terms(fact, &asked))
            fact_range_narrow(&values, fact);
    }
    if (!answer)
        answer = fact_range_decides(&values, asked.relation, asked.bound);
    VEC_FREE(&asked.terms);
    *holds = answer > 0;
    return answer != 0;
}
