/* The cheap decision procedures one by one against brute force, on random conditions over
 * inputs of few bits or integers between narrow bounds. Usage: sym_fast SEED COUNT */
#include <stdio.h>
#include <stdlib.h>

#include "sym/solve/fast_internal.h"
#include "sym/expr/print.h"
#include "sym_generate.h"

enum { MOST_CONDITIONS = 12, BOUND = 6 };

typedef struct Procedure {
    const char *name;
    unsigned long long sat, unsat, unknown;
} Procedure;

typedef struct Test {
    ExprPool *pool;
    Generator g;
    Cone *cone;
    Support *support;
    Evaluator *evaluator;
    FastBytes *bytes;
    FastOrder *order;
    FastRange *range;
    ExprId conditions[MOST_CONDITIONS];
    uint32_t count;
    unsigned long long wrong;
    Procedure procedures[5];
} Test;

/* ---- Queries --------------------------------------------------------------------- */

static void choose_inputs(Test *t)
{
    static const struct { uint8_t count, width; } kinds[] = {{1, 8}, {2, 4}, {3, 3}, {4, 2}, {2, 3}, {2, 0}, {1, 0}};
    uint32_t i = rng_below(&t->g.rng, 7);
    generate_inputs(&t->g, kinds[i].count, kinds[i].width);
}

static void add(Test *t, ExprId condition)
{
    ExprPool *pool = t->pool;
    const ExprNode *node = expr_get(pool, condition);
    if (expr_is_const(pool, condition, NULL) || t->count == MOST_CONDITIONS)
        return;
    if (node->op == EXPR_AND) {
        add(t, expr_operand(node, 0));
        add(t, expr_operand(node, 1));
        return;
    }
    for (uint32_t i = 0; i < t->count; i++)
        if (expr_same(t->conditions[i], condition))
            return;
    t->conditions[t->count++] = condition;
}

/* Comparisons between inputs, moved by constants. */
static ExprId compare_inputs(Test *t)
{
    Generator *g = &t->g;
    ExprId a = expr_input(t->pool, g->inputs[rng_below(&g->rng, g->input_count)]);
    ExprId b = expr_input(t->pool, g->inputs[rng_below(&g->rng, g->input_count)]);
    Sort sort = expr_sort(t->pool, a);
    ExprId shift = expr_const(t->pool, sort, (Bits)rng_below(&g->rng, 5) - 2);
    static const ExprOp bits[] = {EXPR_SLT, EXPR_SLE, EXPR_ULT, EXPR_ULE, EXPR_EQ, EXPR_NE};
    static const ExprOp ints[] = {EXPR_ILT, EXPR_ILE, EXPR_IGT, EXPR_ILT, EXPR_EQ, EXPR_NE};
    if (rng_below(&g->rng, 2))
        a = expr_binary(t->pool, sort ? EXPR_ADD : EXPR_IADD, a, shift);
    if (sort == SORT_INT && rng_below(&g->rng, 3) == 0)
        return expr_binary(t->pool, ints[rng_below(&g->rng, 6)], expr_binary(t->pool, EXPR_ISUB, a, b), shift);
    return expr_binary(t->pool, (sort ? bits : ints)[rng_below(&g->rng, 6)], a, b);
}

static void make_query(Test *t)
{
    t->count = 0;
    for (uint32_t i = 0; i < t->g.input_count; i++) {
        ExprId x = expr_input(t->pool, t->g.inputs[i]);
        if (expr_sort(t->pool, x) != SORT_INT)
            continue;
        add(t, expr_binary(t->pool, EXPR_ILE, expr_int(t->pool, -BOUND), x));
        add(t, expr_binary(t->pool, EXPR_ILE, x, expr_int(t->pool, BOUND)));
    }
    bool orders = rng_below(&t->g.rng, 3) == 0;
    for (uint32_t i = 1 + rng_below(&t->g.rng, orders ? 6 : 4); i > 0; i--)
        add(t, orders ? compare_inputs(t) : generate_condition(&t->g, 3).made);
}

/* ---- Answers ----------------------------------------------------------------------- */

static bool all_hold(Test *t, const Assignment *values)
{
    evaluator_use(t->evaluator, values);
    for (uint32_t i = 0; i < t->count; i++)
        if (!evaluator_holds(t->evaluator, t->conditions[i]))
            return false;
    return true;
}

static bool is_satisfiable(Test *t, Assignment *values, uint32_t input)
{
    if (input == t->g.input_count)
        return all_hold(t, values);
    Sort sort = input_get(t->pool->inputs, t->g.inputs[input])->sort;
    SignedBits last = sort ? (SignedBits)bits_mask(sort) : BOUND;
    for (SignedBits v = sort ? 0 : -BOUND; v <= last; v++) {
        assignment_set(values, t->g.inputs[input], (Bits)v);
        if (is_satisfiable(t, values, input + 1))
            return true;
    }
    return false;
}

static void complain(Test *t, const Procedure *procedure, SolverResult result)
{
    Text text = {0};
    text_add(&text, "%s says %s:\n", procedure->name, result == SOLVER_SAT ? "sat" : "unsat");
    for (uint32_t i = 0; i < t->count; i++) {
        text_add_string(&text, "  ");
        print_expr(t->pool, t->conditions[i], &text);
        text_add_string(&text, "\n");
    }
    fputs(text_borrow(&text), stdout);
    text_release(&text);
    t->wrong++;
}

static void judge(Test *t, Procedure *procedure, SolverResult result, const Assignment *assignment, bool satisfiable)
{
    procedure->sat += result == SOLVER_SAT;
    procedure->unsat += result == SOLVER_UNSAT;
    procedure->unknown += result == SOLVER_UNKNOWN;
    if ((result == SOLVER_UNSAT && satisfiable) || (result == SOLVER_SAT && (!satisfiable || !all_hold(t, assignment))))
        complain(t, procedure, result);
}

static void run_query(Test *t)
{
    FastQuery query = {.pool = t->pool, .conditions = t->conditions, .count = t->count, .cone = t->cone,
                       .support = t->support, .evaluator = t->evaluator};
    query.nodes = cone_collect(t->cone, t->conditions, t->count, &query.node_count);
    query.inputs = support_of_all(t->support, t->conditions, t->count, &query.input_count);
    Assignment values = {0}, assignment = {0};
    bool satisfiable = is_satisfiable(t, &values, 0);
    judge(t, &t->procedures[0], fast_bytes_check(t->bytes, &query, &assignment), &assignment, satisfiable);
    judge(t, &t->procedures[1], fast_order_check(t->order, &query, &assignment), &assignment, satisfiable);
    judge(t, &t->procedures[2], fast_range_check(t->range, &query, &assignment), &assignment, satisfiable);
    judge(t, &t->procedures[3], fast_window_check(t->bytes, t->range, &query, 100000, &assignment), &assignment,
          satisfiable);
    judge(t, &t->procedures[4], fast_sample_check(&query, &assignment), &assignment, satisfiable);
    assignment_release(&values);
    assignment_release(&assignment);
}

int main(int argc, char **argv)
{
    unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned long long count = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000;
    Test t = {.procedures = {{"bytes", 0, 0, 0}, {"order", 0, 0, 0}, {"range", 0, 0, 0}, {"window", 0, 0, 0}, {"sample", 0, 0, 0}},
              .g.widest_product = SORT_WIDEST};
    t.pool = t.g.pool = expr_pool_create(1 << 22);
    t.cone = cone_create(t.pool);
    t.support = support_create(t.pool);
    t.evaluator = evaluator_create(t.pool);
    t.bytes = fast_bytes_create(t.pool);
    t.order = fast_order_create();
    t.range = fast_range_create();
    ExprMark mark = expr_mark(t.pool);
    for (unsigned long long i = 0; i < count && t.wrong < 5; i++) {
        t.g.rng.state = seed * 15485863 + i;
        choose_inputs(&t);
        make_query(&t);
        if (t.count)
            run_query(&t);
        if (expr_count(t.pool) > 20000)
            expr_reset(t.pool, mark);
    }
    for (int i = 0; i < 5; i++)
        printf("%-7s sat %8llu  unsat %8llu  unknown %8llu\n", t.procedures[i].name, t.procedures[i].sat,
               t.procedures[i].unsat, t.procedures[i].unknown);
    printf("%llu queries, %llu wrong\n", count, t.wrong);
    fast_bytes_destroy(t.bytes);
    fast_order_destroy(t.order);
    fast_range_destroy(t.range);
    cone_destroy(t.cone);
    support_destroy(t.support);
    evaluator_destroy(t.evaluator);
    expr_pool_destroy(t.pool);
    return t.wrong > 0;
}
