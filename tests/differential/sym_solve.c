/* The chain of solver layers against brute force and against z3 alone, on random path
 * conditions. Usage: sym_solve SEED COUNT [small|wide|int|order] [SOLVER]
 *
 *   small  inputs of few bits: every query is also answered by trying all values
 *   wide   inputs of 8 to 64 bits, int  unbounded integers, order  mostly comparisons:
 *          every query is also answered by z3 alone
 *   SOLVER sennit-solver: the chain reaches z3 in that process
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <z3.h>

#include "base/vec.h"
#include "sym/expr/print.h"
#include "sym/solve/smt2.h"
#include "sym/solve/solver_layer.h"
#include "sym/solve/solver_remote.h"
#include "sym/solve/solver_z3.h"
#include "sym_generate.h"

typedef struct Test {
    ExprPool *pool;
    PathCond *pc;
    Solver *chain, *alone;
    VEC(ExprId) added; /* what was added to the path condition, which leaves out what it likes */
    Evaluator *evaluator;
    Generator g;
    const char *kind;
    unsigned long long queries, checked, unknown, wrong;
} Test;

/* ---- Path conditions ---------------------------------------------------------------- */

static void choose_inputs(Test *t)
{
    static const struct { uint8_t count, width; } small[] = {{1, 8}, {2, 4}, {3, 3}, {4, 2}, {6, 1}, {2, 3}, {1, 5}};
    static const Sort wide[] = {8, 16, 32, 32, 64};
    if (strcmp(t->kind, "small") == 0) {
        uint32_t i = rng_below(&t->g.rng, 7);
        generate_inputs(&t->g, small[i].count, small[i].width);
    } else if (strcmp(t->kind, "wide") == 0) {
        generate_inputs(&t->g, 1 + rng_below(&t->g.rng, 4), wide[rng_below(&t->g.rng, 5)]);
    } else {
        bool order = strcmp(t->kind, "order") == 0;
        generate_inputs(&t->g, 2 + rng_below(&t->g.rng, 4), order ? wide[rng_below(&t->g.rng, 5)] : SORT_INT);
    }
}

static ExprId compare_inputs(Test *t)
{
    static const ExprOp ops[] = {EXPR_SLT, EXPR_SLE, EXPR_ULT, EXPR_EQ, EXPR_NE, EXPR_SGT};
    Generator *g = &t->g;
    ExprId a = expr_input(g->pool, g->inputs[rng_below(&g->rng, g->input_count)]);
    ExprId b = rng_below(&g->rng, 4) ? expr_input(g->pool, g->inputs[rng_below(&g->rng, g->input_count)])
                                     : expr_const(g->pool, expr_sort(g->pool, a), rng_below(&g->rng, 9));
    return expr_binary(g->pool, ops[rng_below(&g->rng, rng_below(&g->rng, 3) ? 2 : 6)], a, b);
}

static ExprId next_condition(Test *t)
{
    if (strcmp(t->kind, "order") == 0)
        return compare_inputs(t);
    return generate_condition(&t->g, strcmp(t->kind, "small") == 0 ? 3 : 2).made;
}

/* ---- Other answers -------------------------------------------------------------------- */

static bool all_hold(Test *t, ExprId goal)
{
    for (uint32_t i = 0; i < t->added.count; i++)
        if (!evaluator_holds(t->evaluator, t->added.items[i]))
            return false;
    return evaluator_holds(t->evaluator, goal);
}

static SolverResult try_all(Test *t, ExprId goal, Assignment *values, uint32_t input)
{
    if (input == t->g.input_count) {
        evaluator_use(t->evaluator, values);
        return all_hold(t, goal) ? SOLVER_SAT : SOLVER_UNSAT;
    }
    Sort sort = input_get(t->pool->inputs, t->g.inputs[input])->sort;
    for (Bits v = 0; v <= bits_mask(sort); v++) {
        assignment_set(values, t->g.inputs[input], v);
        if (try_all(t, goal, values, input + 1) == SOLVER_SAT)
            return SOLVER_SAT;
    }
    return SOLVER_UNSAT;
}

/* What z3 makes of the query as text. */
static SolverResult ask_as_text(Test *t, ExprId goal)
{
    Text text = {0};
    VEC_PUSH(&t->added, goal);
    smt2_write_query(t->pool, t->added.items, t->added.count, &text);
    t->added.count--;
    *strstr(text.data, "(get-model)") = '\0';
    Z3_config config = Z3_mk_config();
    Z3_context z3 = Z3_mk_context(config);
    const char *reply = Z3_eval_smtlib2_string(z3, text.data);
    SolverResult result = strcmp(reply, "sat\n") == 0     ? SOLVER_SAT
                          : strcmp(reply, "unsat\n") == 0 ? SOLVER_UNSAT
                                                          : SOLVER_UNKNOWN;
    if (strstr(reply, "error"))
        printf("%s: %s\n", reply, text.data), t->wrong++;
    Z3_del_context(z3);
    Z3_del_config(config);
    text_release(&text);
    return result;
}

static SolverResult ask_z3(Test *t, ExprId goal)
{
    VEC_PUSH(&t->added, goal);
    SolverQuery query = {.pool = t->pool, .conditions = t->added.items, .count = t->added.count, .timeout_ms = 200};
    SolverAnswer answer = {0};
    SolverResult result = t->alone->ops->check(t->alone, &query, &answer);
    assignment_release(&answer.assignment);
    t->added.count--;
    return result;
}

/* ---- Comparing -------------------------------------------------------------------------- */

static void complain(Test *t, ExprId goal, const char *what)
{
    Text text = {0};
    text_add(&text, "%s; path condition\n", what);
    for (uint32_t i = 0; i < t->added.count; i++) {
        text_add_string(&text, "  ");
        print_expr(t->pool, t->added.items[i], &text);
        text_add_string(&text, "\n");
    }
    text_add_string(&text, "and ");
    print_expr(t->pool, goal, &text);
    puts(text_borrow(&text));
    text_release(&text);
    t->wrong++;
}

static const char *name_of(SolverResult result)
{
    return result == SOLVER_SAT ? "sat" : result == SOLVER_UNSAT ? "unsat" : "unknown";
}

static void compare(Test *t, ExprId goal, SolverResult ours, SolverResult other, const char *who)
{
    char text[80];
    t->checked++;
    if (ours == other || ours == SOLVER_UNKNOWN || other == SOLVER_UNKNOWN)
        return;
    snprintf(text, sizeof text, "the chain says %s, %s says %s", name_of(ours), who, name_of(other));
    complain(t, goal, text);
}

static SolverResult ask(Test *t, ExprId goal, Assignment *assignment)
{
    SolverResult result = solver_check(t->chain, t->pc, goal, assignment);
    t->queries++;
    t->unknown += result == SOLVER_UNKNOWN;
    if (result == SOLVER_SAT) {
        evaluator_use(t->evaluator, assignment);
        if (!all_hold(t, goal))
            complain(t, goal, "the assignment is wrong");
    }
    if (strcmp(t->kind, "small") == 0) {
        Assignment values = {0};
        compare(t, goal, result, try_all(t, goal, &values, 0), "brute force");
        assignment_release(&values);
    }
    if (strcmp(t->kind, "small") != 0 || t->queries % 32 == 0)
        compare(t, goal, result, ask_z3(t, goal), "z3");
    if (t->queries % 64 == 0 && strcmp(t->kind, "int") != 0)
        compare(t, goal, result, ask_as_text(t, goal), "z3 on SMT-LIB text");
    return result;
}

/* One path: conditions are added on the side that is open, as an execution would. */
static void run_path(Test *t, unsigned long long number, unsigned long long seed)
{
    Assignment assignment = {0};
    t->g.rng.state = seed * 7919 + number;
    choose_inputs(t);
    uint32_t length = 1 + rng_below(&t->g.rng, 8);
    for (uint32_t i = 0; i < length && t->wrong < 5; i++) {
        ExprId condition = next_condition(t);
        if (expr_is_const(t->pool, condition, NULL))
            continue;
        if (rng_below(&t->g.rng, 8) == 0) {
            pathcond_reset(t->pc); /* and no witness from here on */
            t->added.count = 0;
        }
        PathMark mark = pathcond_mark(t->pc);
        if (ask(t, condition, &assignment) != SOLVER_SAT) {
            condition = expr_not(t->pool, condition);
            if (ask(t, condition, &assignment) != SOLVER_SAT)
                break;
        }
        pathcond_set_witness(t->pc, &assignment);
        pathcond_add(t->pc, condition);
        VEC_PUSH(&t->added, condition);
        if (rng_below(&t->g.rng, 6) == 0) {
            pathcond_pop(t->pc, mark);
            t->added.count--;
        }
    }
    assignment_release(&assignment);
    pathcond_reset(t->pc);
    t->added.count = 0;
}

static Solver *make_end(Test *t, const char *program)
{
    Error error;
    Solver *end = program ? solver_remote_create(t->pool, program, &error) : solver_z3_create(t->pool);
    if (!end)
        puts(error.text);
    return end;
}

int main(int argc, char **argv)
{
    unsigned long long seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned long long count = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000;
    Test t = {.kind = argc > 3 ? argv[3] : "small", .g.widest_product = 16};
    t.pool = t.g.pool = expr_pool_create(1 << 22);
    t.pc = pathcond_create(t.pool);
    t.evaluator = evaluator_create(t.pool);
    SolverOptions options = {.pool = t.pool, .end = make_end(&t, argc > 4 ? argv[4] : NULL), .timeout_ms = 200};
    if (!options.end)
        return 1;
    options.timing = true;
    t.chain = solver_chain_create(&options);
    t.alone = solver_z3_create(t.pool);
    ExprMark mark = expr_mark(t.pool);
    for (unsigned long long i = 0; t.queries < count && t.wrong < 5; i++) {
        run_path(&t, i, seed);
        if (expr_count(t.pool) > 20000)
            expr_reset(t.pool, mark);
    }
    Text text = {0};
    solver_stats_print(solver_stats(t.chain), &text);
    printf("%s%s: %llu queries, %llu compared, %llu unknown, %llu wrong\n", text_borrow(&text), t.kind, t.queries,
           t.checked, t.unknown, t.wrong);
    text_release(&text);
    solver_destroy(t.chain);
    t.alone->ops->destroy(t.alone);
    VEC_FREE(&t.added);
    pathcond_destroy(t.pc);
    evaluator_destroy(t.evaluator);
    expr_pool_destroy(t.pool);
    return t.wrong > 0;
}
