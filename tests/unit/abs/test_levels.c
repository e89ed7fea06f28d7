/* Levels of dependence, and reads that need no partial runs. */
#include "explore_model.h"

#define CALLS(methods, calls) "module T; interface I { Unit a(); Unit b(); } class C implements I { Int x = 0; Int y = 0;" methods "} { I o = new C(); " calls " }"

static const char *const OTHER_FIELDS = CALLS("Unit a() { x = 1; } Unit b() { y = 2; }", "o!a(); o!b();");
static const char *const INCREMENTS = CALLS("Unit a() { x = x + 1; } Unit b() { x = x + 2; }", "o!a(); o!b();");
static const char *const NO_FIELDS = CALLS("Unit a() { skip; } Unit b() { skip; }", "o!a(); o!b();");
static const char *const BRANCHES = CALLS("Unit a() { x = 1; } Unit b() { if (x == 0) y = 1; }", "o!a(); o!b();");

static Counts explore(const char *text, DependenceLevel level)
{
    Counts counts = explore_model(text, (AbsOptions){.dependence = level},
                                  level == DEPENDENCE_EXACT ? REDUCTION_EXACT : REDUCTION_OPTIMAL);
    assert_int_equal(counts.result, EXPLORE_DONE);
    return counts;
}

static void actor_orders_whatever_touches_the_object(void **state)
{
    (void)state;
    assert_int_equal(explore(OTHER_FIELDS, DEPENDENCE_ACTOR).executions, 2);
    assert_int_equal(explore(INCREMENTS, DEPENDENCE_ACTOR).executions, 2);
    assert_int_equal(explore(NO_FIELDS, DEPENDENCE_ACTOR).executions, 1);
}

static void fields_orders_accesses_to_one_field(void **state)
{
    (void)state;
    assert_int_equal(explore(OTHER_FIELDS, DEPENDENCE_FIELDS).executions, 1);
    assert_int_equal(explore(INCREMENTS, DEPENDENCE_FIELDS).executions, 2);
}

static void exact_orders_what_leads_to_other_states(void **state)
{
    (void)state;
    assert_int_equal(explore(OTHER_FIELDS, DEPENDENCE_EXACT).executions, 1);
    assert_int_equal(explore(INCREMENTS, DEPENDENCE_EXACT).executions, 1);
    assert_int_equal(explore(BRANCHES, DEPENDENCE_EXACT).executions, 2);
}

static void reads_that_nothing_depends_on_need_no_partial_run(void **state)
{
    (void)state;
    assert_int_equal(explore(INCREMENTS, DEPENDENCE_FIELDS).probes, 0);
    assert_int_not_equal(explore(BRANCHES, DEPENDENCE_FIELDS).probes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actor_orders_whatever_touches_the_object),
        cmocka_unit_test(fields_orders_accesses_to_one_field),
        cmocka_unit_test(exact_orders_what_leads_to_other_states),
        cmocka_unit_test(reads_that_nothing_depends_on_need_no_partial_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
