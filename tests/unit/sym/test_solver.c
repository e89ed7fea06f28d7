/* The chain of layers without z3 behind it: what each layer answers, and what it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sym/solve/solver.h"

static ExprPool *pool;
static PathCond *pc;
static Solver *solver;
static Assignment assignment;
static ExprId x[8], byte[4], n, m;

static int set_up(void **state)
{
    (void)state;
    pool = expr_pool_create(1 << 18);
    pc = pathcond_create(pool);
    SolverOptions options = {.pool = pool, .check = true, .timing = true};
    solver = solver_chain_create(&options);
    for (uint32_t i = 0; i < 8; i++)
        x[i] = expr_input(pool, input_make(pool->inputs, "x", i, 32));
    for (uint32_t i = 0; i < 4; i++)
        byte[i] = expr_input(pool, input_make(pool->inputs, "byte", i, 8));
    n = expr_input(pool, input_make(pool->inputs, "n", 0, SORT_INT));
    m = expr_input(pool, input_make(pool->inputs, "m", 0, SORT_INT));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assignment_release(&assignment);
    solver_destroy(solver);
    pathcond_destroy(pc);
    expr_pool_destroy(pool);
    return 0;
}

static ExprId op(ExprOp operation, ExprId a, ExprId b)
{
    return expr_binary(pool, operation, a, b);
}

static ExprId k(ExprId like, SignedBits value)
{
    return expr_const(pool, expr_sort(pool, like), (Bits)value);
}

static SignedBits value_of(ExprId input)
{
    InputId id = {expr_get(pool, input)->word[0]};
    return bits_signed(assignment_get(&assignment, id), expr_sort(pool, input));
}

static uint64_t reached(SolverLayer layer)
{
    return solver_stats(solver)[layer].queries;
}

static void orders_are_decided(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++)
        pathcond_add(pc, op(EXPR_SLT, x[i], x[i + 1]));
    assert_int_equal(solver_check(solver, pc, op(EXPR_SLE, x[7], x[0]), &assignment), SOLVER_UNSAT);
    assert_int_equal(solver_check(solver, pc, EXPR_NONE, &assignment), SOLVER_SAT);
    assert_true(value_of(x[0]) == 0 && value_of(x[7]) == 7);
    assert_int_equal(solver_check(solver, pc, op(EXPR_SLT, x[7], k(x[7], 0)), &assignment), SOLVER_SAT);
    assert_true(value_of(x[7]) == -1 && value_of(x[0]) == -8);
    assert_int_equal(solver_check(solver, pc, op(EXPR_SLE, x[6], x[1]), NULL), SOLVER_UNSAT);
    assert_int_equal(solver_check(solver, pc, op(EXPR_NE, x[1], x[6]), NULL), SOLVER_SAT);
    assert_int_equal(reached(LAYER_END), 0);
}

static void orders_of_integers_are_differences(void **state)
{
    (void)state;
    pathcond_add(pc, op(EXPR_ILT, op(EXPR_IADD, n, k(n, 10)), m));
    assert_int_equal(solver_check(solver, pc, op(EXPR_ILT, m, op(EXPR_IADD, n, k(n, 5))), &assignment), SOLVER_UNSAT);
    assert_int_equal(solver_check(solver, pc, op(EXPR_ILT, m, k(m, 0)), &assignment), SOLVER_SAT);
    assert_true(value_of(n) + 10 < value_of(m) && value_of(m) < 0);
    assert_int_equal(reached(LAYER_END), 0);
}

static void ranges_are_decided(void **state)
{
    (void)state;
    ExprId index = op(EXPR_ADD, op(EXPR_MUL, x[0], k(x[0], 4)), k(x[0], 3));
    pathcond_add(pc, op(EXPR_SGE, x[0], k(x[0], 0)));
    pathcond_add(pc, op(EXPR_SLT, x[0], k(x[0], 100)));
    assert_int_equal(solver_check(solver, pc, op(EXPR_SGT, index, k(index, 399)), &assignment), SOLVER_UNSAT);
    assert_int_equal(solver_check(solver, pc, op(EXPR_SGT, index, k(index, 390)), &assignment), SOLVER_SAT);
    assert_true(value_of(x[0]) >= 97 && value_of(x[0]) < 100);
    assert_int_equal(solver_check(solver, pc, op(EXPR_EQ, op(EXPR_AND, index, k(index, 3)), k(index, 2)), &assignment),
                     SOLVER_UNSAT);
    assert_int_equal(reached(LAYER_END), 0);
}

static void small_domains_are_decided(void **state)
{
    (void)state;
    ExprId square = op(EXPR_MUL, byte[0], byte[0]), sum = op(EXPR_XOR, byte[0], byte[1]);
    assert_int_equal(solver_check(solver, pc, op(EXPR_EQ, square, k(square, 3)), &assignment), SOLVER_UNSAT);
    assert_int_equal(solver_check(solver, pc, op(EXPR_EQ, square, k(square, 49)), &assignment), SOLVER_SAT);
    assert_true(value_of(byte[0]) == 7);
    pathcond_add(pc, op(EXPR_EQ, square, k(square, 49)));
    pathcond_add(pc, op(EXPR_ULT, byte[1], k(byte[1], 5)));
    assert_int_equal(solver_check(solver, pc, op(EXPR_EQ, sum, k(sum, 6)), &assignment), SOLVER_SAT);
    assert_int_equal(solver_check(solver, pc, op(EXPR_EQ, sum, k(sum, 15)), &assignment), SOLVER_UNSAT);
    assert_int_equal(reached(LAYER_END), 0);
}

static void unrelated_inputs_keep_the_witness(void **state)
{
    (void)state;
    Assignment inputs = {0};
    assignment_set(&inputs, (InputId){0}, 1234);
    assignment_set(&inputs, (InputId){1}, 5);
    pathcond_set_witness(pc, &inputs);
    pathcond_add(pc, op(EXPR_SGT, x[0], k(x[0], 1000)));
    pathcond_add(pc, op(EXPR_EQ, x[1], k(x[1], 5)));
    assert_int_equal(solver_check(solver, pc, op(EXPR_SLT, x[2], k(x[2], -3)), &assignment), SOLVER_SAT);
    assert_true(value_of(x[0]) == 1234 && value_of(x[1]) == 5 && value_of(x[2]) == -4);
    assignment_release(&inputs);
}

static void without_a_witness_all_parts_are_solved(void **state)
{
    (void)state;
    pathcond_add(pc, op(EXPR_SGT, x[0], k(x[0], 1000)));
    pathcond_add(pc, op(EXPR_EQ, byte[1], k(byte[1], 77)));
    assert_int_equal(solver_check(solver, pc, op(EXPR_EQ, x[2], k(x[2], 8)), &assignment), SOLVER_SAT);
    assert_true(value_of(x[0]) > 1000 && value_of(byte[1]) == 77 && value_of(x[2]) == 8);
    pathcond_add(pc, op(EXPR_SLT, x[0], k(x[0], 10)));
    assert_int_equal(solver_check(solver, pc, op(EXPR_EQ, x[2], k(x[2], 8)), &assignment), SOLVER_UNSAT);
}

static void assignments_are_reused_and_answers_remembered(void **state)
{
    (void)state;
    ExprId first = op(EXPR_SGT, x[0], k(x[0], 10)), second = op(EXPR_SGT, x[0], k(x[0], 5));
    assert_int_equal(solver_check(solver, pc, first, &assignment), SOLVER_SAT);
    uint64_t cached = reached(LAYER_CACHE), fast = reached(LAYER_FAST);
    assert_int_equal(solver_check(solver, pc, second, &assignment), SOLVER_SAT);
    assert_int_equal(reached(LAYER_CACHE), cached);
    ExprId order = op(EXPR_SLT, x[1], x[0]);
    pathcond_add(pc, op(EXPR_SLT, x[0], x[1]));
    assert_int_equal(solver_check(solver, pc, order, &assignment), SOLVER_UNSAT);
    assert_int_equal(reached(LAYER_FAST), fast + 1);
    assert_int_equal(solver_check(solver, pc, order, &assignment), SOLVER_UNSAT);
    pathcond_add(pc, op(EXPR_EQ, x[0], x[2]));
    assert_int_equal(solver_check(solver, pc, order, &assignment), SOLVER_UNSAT); /* contains the set */
    assert_int_equal(reached(LAYER_FAST), fast + 1);
    pathcond_add(pc, op(EXPR_SLT, x[0], k(x[0], 3)));
    assert_int_equal(solver_check(solver, pc, first, &assignment), SOLVER_UNSAT); /* a look suffices */
    assert_int_equal(reached(LAYER_FAST), fast + 1);
}

static void what_nobody_decides_is_unknown(void **state)
{
    (void)state;
    ExprId wide = expr_input(pool, input_make(pool->inputs, "wide", 0, 64));
    ExprId other = expr_input(pool, input_make(pool->inputs, "wide", 1, 64));
    ExprId product = op(EXPR_MUL, wide, other);
    pathcond_add(pc, op(EXPR_UGT, wide, k(wide, 1)));
    pathcond_add(pc, op(EXPR_UGT, other, k(wide, 1)));
    assignment_set(&assignment, (InputId){0}, 99);
    assert_int_equal(solver_check(solver, pc, op(EXPR_EQ, product, k(product, 0x7fffffffffffffe7)), &assignment),
                     SOLVER_UNKNOWN);
    assert_true(assignment_get(&assignment, (InputId){0}) == 99);
    assert_int_equal(reached(LAYER_END), 1);
}

static void the_chain_survives_a_reset_of_the_pool(void **state)
{
    (void)state;
    ExprMark mark = expr_mark(pool);
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 20; i++)
            op(EXPR_MUL, x[0], k(x[0], round * 100 + i)); /* so that ids shift */
        pathcond_add(pc, op(EXPR_SLT, x[0], k(x[0], 100 - round)));
        assert_int_equal(solver_check(solver, pc, op(EXPR_SLT, k(x[0], 100 - round), x[0]), &assignment), SOLVER_UNSAT);
        assert_int_equal(solver_check(solver, pc, op(EXPR_EQ, byte[round % 4], k(byte[0], round)), &assignment), SOLVER_SAT);
        pathcond_reset(pc);
        expr_reset(pool, mark);
    }
}

static void statistics_name_the_layers(void **state)
{
    (void)state;
    Text text = {0};
    solver_check(solver, pc, op(EXPR_SLT, x[0], x[1]), &assignment);
    solver_stats_print(solver_stats(solver), &text);
    assert_non_null(strstr(text_borrow(&text), "slice"));
    assert_non_null(strstr(text_borrow(&text), "fast"));
    assert_null(strstr(text_borrow(&text), "z3"));
    text_release(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(orders_are_decided),
        TEST(orders_of_integers_are_differences),
        TEST(ranges_are_decided),
        TEST(small_domains_are_decided),
        TEST(unrelated_inputs_keep_the_witness),
        TEST(without_a_witness_all_parts_are_solved),
        TEST(assignments_are_reused_and_answers_remembered),
        TEST(what_nobody_decides_is_unknown),
        TEST(the_chain_survives_a_reset_of_the_pool),
        TEST(statistics_name_the_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
