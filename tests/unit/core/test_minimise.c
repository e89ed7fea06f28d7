/* test_minimise.c - fewer preemptions, and whether that is known to be the fewest */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../fake.h"
#include "core/minimise.h"

static unsigned executions_left;

static bool may_continue(void)
{
    if (executions_left == 0)
        return false;
    executions_left--;
    return true;
}

/* Three updates of which two get lost, with three preemptions; one preemption loses an update. */
static uint32_t minimise(uint64_t executions, unsigned time, bool *fewest)
{
    Fake fake = fake_make(3);
    Execution *ex = execution_create(&fake.program);
    MinimiseBudget budget = {.executions = executions, .may_continue = may_continue};
    executions_left = time;
    fake_run_order(&fake, ex, "012012");
    assert_int_equal(execution_preemptions(ex, ex->event_count), 3);
    assert_int_equal(ex->finding_count, 1);
    Finding finding = ex->findings[0];
    Schedule *failing = schedule_take(NULL, ex, finding.position);
    Schedule *small = minimise_preemptions(&fake.program, failing, &finding, &budget, fewest);
    schedule_plan(small, ex);
    fake_run(&fake.program, ex);
    assert_int_equal(ex->finding_count, 1); /* it shows the bug */
    uint32_t preemptions = execution_preemptions(ex, ex->event_count);
    schedule_destroy(NULL, failing);
    schedule_destroy(NULL, small);
    execution_destroy(ex);
    return preemptions;
}

static void test_fewest(void **state)
{
    (void)state;
    bool fewest;
    assert_int_equal(minimise(5000, 5000, &fewest), 1);
    assert_true(fewest);
}

/* Without time the schedule stays, and nothing is claimed. */
static void test_no_time(void **state)
{
    (void)state;
    bool fewest;
    assert_int_equal(minimise(5000, 0, &fewest), 3);
    assert_false(fewest);
}

/* 6 schedules have no preemption: with fewer executions it is not known that one is needed. */
static void test_budget(void **state)
{
    (void)state;
    bool fewest;
    assert_true(minimise(5, 5000, &fewest) >= 1);
    assert_false(fewest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fewest), cmocka_unit_test(test_no_time),
                                       cmocka_unit_test(test_budget)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
