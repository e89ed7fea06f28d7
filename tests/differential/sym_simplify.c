/* Simplified expressions have the values of what was written: random expressions of all
 * sorts under random assignments. Usage: sym_simplify SEED COUNT */
#include <stdio.h>
#include <stdlib.h>

#include "sym/expr/eval.h"
#include "sym/expr/print.h"
#include "sym_generate.h"

enum { ASSIGNMENTS = 12 };

static const Sort sorts[] = {1, 2, 3, 4, 7, 8, 8, 16, 32, 32, 33, 64, 65, 127, 128, SORT_INT};

static void show(const ExprPool *pool, Pair pair, const Assignment *values, unsigned long long number)
{
    Text text = {0};
    text_add(&text, "expression %llu under ", number);
    assignment_print(values, pool, &text);
    text_add_string(&text, "\n  written    ");
    print_expr(pool, pair.raw, &text);
    text_add_string(&text, "\n  simplified ");
    print_expr(pool, pair.made, &text);
    puts(text_borrow(&text));
    text_release(&text);
}

/* An integer may leave 128 bits in one form and not in the other. */
static bool agree(Evaluator *evaluator, Pair pair)
{
    Bits made = 0, raw = 0;
    bool made_fits = evaluator_get(evaluator, pair.made, &made), raw_fits = evaluator_get(evaluator, pair.raw, &raw);
    return !made_fits || !raw_fits || made == raw;
}

static void choose_values(Generator *g, Assignment *values)
{
    for (uint32_t i = 0; i < g->input_count; i++)
        assignment_set(values, g->inputs[i], generate_value(g, input_get(g->pool->inputs, g->inputs[i])->sort));
}

int main(int argc, char **argv)
{
    unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned long long count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100000;
    ExprPool *pool = expr_pool_create(1 << 24);
    Evaluator *evaluator = evaluator_create(pool);
    ExprMark mark = expr_mark(pool);
    unsigned long long wrong = 0, made_nodes = 0;
    for (unsigned long long i = 0; i < count && wrong < 10; i++) {
        Generator g = {.pool = pool, .rng = {seed * 1000003 + i}, .widest_product = SORT_WIDEST};
        Assignment values = {0};
        generate_inputs(&g, 1 + rng_below(&g.rng, 4), sorts[rng_below(&g.rng, sizeof sorts / sizeof sorts[0])]);
        Sort sort = input_get(pool->inputs, g.inputs[0])->sort;
        Pair pair = rng_below(&g.rng, 2) ? generate_condition(&g, 5) : generate(&g, sort, 5);
        for (int j = 0; j < ASSIGNMENTS; j++) {
            choose_values(&g, &values);
            evaluator_use(evaluator, &values);
            if (!agree(evaluator, pair)) {
                show(pool, pair, &values, i);
                wrong++;
                break;
            }
        }
        assignment_release(&values);
        if (expr_count(pool) > 1 << 20) {
            made_nodes += expr_count(pool);
            expr_reset(pool, mark);
        }
    }
    printf("%llu expressions, %llu nodes, %llu wrong\n", count, made_nodes + expr_count(pool), wrong);
    evaluator_destroy(evaluator);
    expr_pool_destroy(pool);
    return wrong > 0;
}
