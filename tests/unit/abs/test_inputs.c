/* Inputs of models: how many executions they make, and what is found in them. */
#include "explore_model.h"

#define CLASS                                                                                        \
    "module T; interface I { Int twice(Int x); Unit set(Int x); Unit wait(); Int get2(); }"          \
    "class C implements I { Int v = 0;"                                                              \
    "  Int twice(Int x) { return 2 * x; } Unit set(Int x) { v = x; }"                                \
    "  Unit wait() { await v > 5; } Int get2() { return v; } } "

static Counts explore(const char *text)
{
    Counts counts = explore_model(text, (AbsOptions){.dependence = DEPENDENCE_FIELDS}, REDUCTION_OPTIMAL);
    assert_int_equal(counts.result, EXPLORE_DONE);
    return counts;
}

static void both_sides_of_a_branch_are_explored(void **state)
{
    (void)state;
    Counts counts = explore("module T; { [Input] Int n = 1; if (n == 77) { assert False; } }");
    assert_int_equal(counts.executions, 2);
    assert_int_equal(counts.failing, 1);
}

static void an_input_that_decides_nothing_is_one_execution(void **state)
{
    (void)state;
    assert_int_equal(explore("module T; { [Input] Int n = 1; Int m = n * 3 + random(10); }").executions, 1);
}

static void contradictions_are_not_explored(void **state)
{
    (void)state;
    Counts counts = explore("module T; { [Input] Int n = 1; if (n > 3) { if (n < 2) { assert False; } } }");
    assert_int_equal(counts.executions, 2);
    assert_int_equal(counts.failing, 0);
}

static void random_stays_below_its_bound(void **state)
{
    (void)state;
    Counts counts = explore("module T; { Int n = random(3); assert n >= 0; assert n < 3; if (n == 2) skip; }");
    assert_int_equal(counts.executions, 2);
    assert_int_equal(counts.failing, 0);
}

static void values_keep_their_expressions_through_calls_and_futures(void **state)
{
    (void)state;
    Counts counts = explore(CLASS "{ [Input] Int n = 1; I o = new C(); Fut<Int> f = o!twice(n); Int r = f.get; assert r != 14; }");
    assert_int_equal(counts.executions, 2);
    assert_int_equal(counts.failing, 1);
}

static void values_keep_their_expressions_in_fields_and_data(void **state)
{
    (void)state;
    Counts counts = explore(CLASS "{ [Input] Int n = 1; I o = new C(); await o!set(n); Int r = await o!get2();"
                                  " List<Int> l = list[1, r]; assert l != list[1, 9]; }");
    assert_int_equal(counts.executions, 2);
    assert_int_equal(counts.failing, 1);
}

/* set, then wait: 2; wait first, then set makes it go on or not: 2. */
static void what_an_await_gives_is_a_decision(void **state)
{
    (void)state;
    Counts counts = explore(CLASS "{ [Input] Int n = 1; I o = new C(); o!set(n); o!wait(); }");
    assert_int_equal(counts.executions, 4);
    assert_int_equal(counts.blocked, 2);
}

static void quotients_are_followed_as_far_as_truncate(void **state)
{
    (void)state;
    Counts counts = explore("module T; { [Input] Int n = 1; Int h = truncate(n / 2); if (h == 5) { assert n % 2 == 0; } }");
    assert_int_equal(counts.executions, 3);
    assert_int_equal(counts.failing, 1);
    assert_int_equal(counts.most_concretised, 0);
}

static void division_by_an_input_may_be_by_zero(void **state)
{
    (void)state;
    Counts counts = explore("module T; { [Input] Int n = 1; Rat r = 1 / n; }");
    assert_int_equal(counts.executions, 2);
    assert_int_equal(counts.failing, 1);
}

static void what_cannot_be_tracked_is_concretised_and_counted(void **state)
{
    (void)state;
    Counts counts = explore("module T; { [Input] Int n = 1; String s = toString(n); if (n == 2) skip; }");
    assert_int_equal(counts.executions, 1);
    assert_int_equal(counts.most_concretised, 1);
}

/* Two tasks: n first makes 3 executions, 2 first makes 2. Whichever search for inputs fails, what
 * needed it is left out and the exploration continues. */
static void a_plan_without_inputs_is_left_out(Reduction reduction, DependenceLevel level, uint64_t all)
{
    const char *text = "module T; interface I { Unit a(Int n); } class C implements I { Int x = 0; Unit a(Int n) { if (n > x) x = n; } }"
                       "{ [Input] Int n = 1; I o = new C(); o!a(n); o!a(2); }";
    AbsOptions options = {.dependence = level};
    bool some_lost = false;
    failing_solve = 0;
    assert_int_equal(explore_model(text, options, reduction).executions, all);
    uint32_t needed = solves;
    assert_true(needed > 0);
    for (failing_solve = 1; failing_solve <= needed; failing_solve++) {
        Counts counts = explore_model(text, options, reduction);
        assert_int_equal(counts.result, EXPLORE_DONE);
        assert_true(counts.executions <= all);
        some_lost = some_lost || counts.executions < all;
    }
    failing_solve = 0;
    assert_true(some_lost);
}

static void the_optimal_search_leaves_plans_out(void **state)
{
    (void)state;
    a_plan_without_inputs_is_left_out(REDUCTION_OPTIMAL, DEPENDENCE_FIELDS, 5);
}

static void the_exact_search_leaves_plans_out(void **state)
{
    (void)state;
    a_plan_without_inputs_is_left_out(REDUCTION_EXACT, DEPENDENCE_EXACT, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_of_a_branch_are_explored),
        cmocka_unit_test(an_input_that_decides_nothing_is_one_execution),
        cmocka_unit_test(contradictions_are_not_explored),
        cmocka_unit_test(random_stays_below_its_bound),
        cmocka_unit_test(values_keep_their_expressions_through_calls_and_futures),
        cmocka_unit_test(values_keep_their_expressions_in_fields_and_data),
        cmocka_unit_test(what_an_await_gives_is_a_decision),
        cmocka_unit_test(quotients_are_followed_as_far_as_truncate),
        cmocka_unit_test(division_by_an_input_may_be_by_zero),
        cmocka_unit_test(what_cannot_be_tracked_is_concretised_and_counted),
        cmocka_unit_test(the_optimal_search_leaves_plans_out),
        cmocka_unit_test(the_exact_search_leaves_plans_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
