/* A session as programs under test use it: inputs, conditions, feasibility, other processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sym/session/session.h"

static Archive *archive;
static Session *session;

static int set_up(void **state)
{
    (void)state;
    archive = archive_create();
    session = session_create(archive, &(SessionOptions){0}, NULL);
    return session == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    session_destroy(session);
    archive_destroy(archive);
    return 0;
}

static ExprId number(const char *name, Sort sort, Bits first, Bits *value)
{
    Bits ignored;
    return session_input(session, &(InputSpec){.name = name, .sort = sort}, first, value ? value : &ignored);
}

static uint32_t is_less(ExprId a, ExprId b)
{
    return session_condition(session, expr_binary(session_pool(session), EXPR_SLT, a, b));
}

static uint32_t is(ExprId a, Bits value)
{
    ExprPool *pool = session_pool(session);
    return session_condition(session, expr_binary(pool, EXPR_EQ, a, expr_const(pool, expr_sort(pool, a), value)));
}

static bool feasible(const Literal *all, uint32_t count)
{
    return session_feasible(session, all, count, NULL, NULL, 0);
}

/* ---- Tests ------------------------------------------------------------------------ */

static void inputs_have_first_values_until_literals_say_otherwise(void **state)
{
    (void)state;
    Bits x_value, y_value;
    assert_int_equal(session_begin(session, NULL, 0), SOLVER_SAT);
    ExprId x = number("x", 32, 7, &x_value);
    number("y", 32, 8, &y_value);
    assert_true(x_value == 7 && y_value == 8);
    Literal literal = {is(x, 7), 1};
    assert_int_equal(session_begin(session, &literal, 1), SOLVER_SAT);
    number("x", 32, 7, &x_value);
    number("y", 32, 8, &y_value);
    assert_true(x_value != 7 && y_value == 8);
    assert_int_equal(session_input_count(session), 2);
    assert_string_equal(session_get_input(session, 1, &y_value)->name, "y");
    assert_true(y_value == 8);
}

static void contradictions_are_not_feasible(void **state)
{
    (void)state;
    session_begin(session, NULL, 0);
    ExprId x = number("x", 32, 0, NULL), y = number("y", 32, 0, NULL), z = number("z", 32, 0, NULL);
    Literal chain[] = {{is_less(x, y), 0}, {is_less(y, z), 0}, {is_less(x, z), 1}};
    assert_true(feasible(chain, 2));
    assert_false(feasible(chain, 3));
    chain[2].taken = 0;
    assert_true(feasible(chain, 3));
    assert_int_equal(session_begin(session, chain, 3), SOLVER_SAT);
    Bits a, b, c;
    number("x", 32, 0, &a);
    number("y", 32, 0, &b);
    number("z", 32, 0, &c);
    assert_true(bits_signed(a, 32) < bits_signed(b, 32) && bits_signed(b, 32) < bits_signed(c, 32));
}

static void ranges_hold_without_being_said(void **state)
{
    (void)state;
    InputSpec spec = {.name = "die", .sort = 32, .range = {.limited = true, .low = 1, .high = 6}};
    Bits value;
    session_begin(session, NULL, 0);
    ExprId die = session_input(session, &spec, 0, &value);
    assert_true(value == 1);
    Literal six = {is(die, 6), 0}, seven = {is(die, 7), 0};
    assert_true(feasible(&six, 1));
    assert_false(feasible(&seven, 1));
    Literal all_but[6];
    for (uint32_t i = 0; i < 6; i++)
        all_but[i] = (Literal){is(die, i + 1), 1};
    assert_true(feasible(all_but, 5));
    assert_false(feasible(all_but, 6));
    /* Negative bounds. */
    spec = (InputSpec){.name = "t", .sort = 8, .range = {.limited = true, .is_signed = true, .low = 0xfd, .high = 2}};
    ExprId t = session_input(session, &spec, 100, &value);
    assert_true(value == 0xfd);
    Literal low = {is(t, 0xfd), 0}, lower = {is(t, 0xfc), 0};
    assert_true(feasible(&low, 1));
    assert_false(feasible(&lower, 1));
}

static void integers_have_no_bounds(void **state)
{
    (void)state;
    ExprPool *pool = session_pool(session);
    session_begin(session, NULL, 0);
    ExprId n = number("n", SORT_INT, 0, NULL);
    ExprId large = expr_int(pool, (SignedBits)1 << 62);
    Literal above = {session_condition(session, expr_binary(pool, EXPR_ILT, large, n)), 0};
    assert_true(feasible(&above, 1));
    assert_int_equal(session_begin(session, &above, 1), SOLVER_SAT);
    Bits value;
    number("n", SORT_INT, 0, &value);
    assert_true((SignedBits)value > (SignedBits)1 << 62);
}

static void only_one_side_of_an_assumption_is_feasible(void **state)
{
    (void)state;
    session_begin(session, NULL, 0);
    ExprId x = number("x", 32, 0, NULL), y = number("y", 32, 0, NULL);
    ExprId condition = expr_binary(session_pool(session), EXPR_SLT, x, y);
    Literal assumed = {session_assumption(session, condition), 0}, violated = {assumed.condition, 1};
    Literal branch = {session_condition(session, condition), 1};
    assert_true(assumed.condition != branch.condition);
    assert_true(feasible(&assumed, 1));
    assert_false(feasible(&violated, 1));
    assert_true(feasible(&branch, 1));
    Literal both[] = {assumed, branch};
    assert_false(feasible(both, 2));
}

static void constants_are_no_conditions(void **state)
{
    (void)state;
    session_begin(session, NULL, 0);
    ExprId x = number("x", 32, 0, NULL);
    assert_int_equal(is_less(x, x), 0);
    assert_false(session_is_full(session));
}

/* x < 4 with the values of `served` taken out: (x = 0), (x = 1 and y = 0), .. */
static void clauses_take_inputs_away(void **state)
{
    (void)state;
    ExprPool *pool = session_pool(session);
    session_begin(session, NULL, 0);
    ExprId x = number("x", 8, 0, NULL), y = number("y", 8, 0, NULL);
    Literal below = {session_condition(session, expr_binary(pool, EXPR_ULT, x, expr_const(pool, 8, 2))), 0};
    Literal any[] = {{is(x, 0), 0}, {is(x, 1), 0}, {is(y, 0), 0}, {is(y, 0), 1}, {is(x, 0), 1}};
    uint32_t ends[] = {1, 3, 5};
    assert_true(session_feasible(session, &below, 1, any, ends, 1));
    assert_true(session_feasible(session, &below, 1, any, ends, 2));
    assert_false(session_feasible(session, &below, 1, any, ends, 3));
}

static void given_values_are_used(void **state)
{
    (void)state;
    InputValue values[] = {{"y", 0, 5}, {"y", 1, 6}};
    Bits x_value, y_value, second;
    session_begin_with(session, values, 2);
    number("x", 32, 1, &x_value);
    number("y", 32, 1, &y_value);
    session_input(session, &(InputSpec){.name = "y", .number = 1, .sort = 16}, 1, &second);
    assert_true(x_value == 1 && y_value == 5 && second == 6);
}

static void numbers_mean_the_same_in_every_process(void **state)
{
    (void)state;
    int channel[2];
    assert_int_equal(pipe(channel), 0);
    pid_t child = fork();
    if (child == 0) {
        session_begin(session, NULL, 0);
        number("other", 16, 0, NULL); /* so that inputs have other indices there */
        ExprId x = number("x", 32, 0, NULL);
        uint32_t sent[2] = {is(x, 4711), is(x, 4712)};
        _exit(write(channel[1], sent, sizeof sent) == sizeof sent ? 0 : 1);
    }
    uint32_t numbers[2];
    assert_int_equal(read(channel[0], numbers, sizeof numbers), sizeof numbers);
    waitpid(child, NULL, 0);
    Literal literals[] = {{numbers[0], 0}, {numbers[1], 0}};
    Bits value;
    assert_false(feasible(literals, 2));
    assert_int_equal(session_begin(session, literals, 1), SOLVER_SAT);
    ExprId x = number("x", 32, 0, &value);
    assert_true(value == 4711);
    assert_int_equal(is(x, 4712), numbers[1]);
    close(channel[0]);
    close(channel[1]);
}

/* Products of two inputs are beyond the cheap layers; there is no solver here. */
static void what_stays_unknown_is_counted(void **state)
{
    (void)state;
    ExprPool *pool = session_pool(session);
    session_begin(session, NULL, 0);
    ExprId x = number("x", 64, 0, NULL), y = number("y", 64, 0, NULL);
    ExprId product = expr_binary(pool, EXPR_MUL, expr_binary(pool, EXPR_XOR, x, y), expr_binary(pool, EXPR_ADD, x, y));
    Literal literal = {is(product, 0x123456789abcdefull), 0};
    SymStats stats;
    assert_false(feasible(&literal, 1));
    archive_stats(archive, &stats);
    assert_int_equal(stats.unknown, 1);
    assert_int_equal(stats.queries, 1);
    assert_int_equal(stats.yes, 0);
    assert_int_equal(stats.inputs, 1);
    assert_int_equal(stats.conditions, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(inputs_have_first_values_until_literals_say_otherwise),
        TEST(contradictions_are_not_feasible),
        TEST(ranges_hold_without_being_said),
        TEST(integers_have_no_bounds),
        TEST(only_one_side_of_an_assumption_is_feasible),
        TEST(constants_are_no_conditions),
        TEST(clauses_take_inputs_away),
        TEST(given_values_are_used),
        TEST(numbers_mean_the_same_in_every_process),
        TEST(what_stays_unknown_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
