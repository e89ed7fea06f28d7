/* test_program.c - the program contract: plans, ends, bounds, what is left behind and reset */
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>

#include "core/schedule.h"
#include "instrumented.h"
#include "rt/abi/ops.h"
#include "rt/detect/held.h"
#include "rt/libc/api_libc.h"

static int x, y, big[40000];
static pthread_mutex_t mutex_a, mutex_b;
GLOBAL(x);
GLOBAL(y);
GLOBAL(big);

static Execution *ex;

static void run_body(void (*body)(void))
{
    sandbox_body = body;
    sandbox_program->ops->run(sandbox_program, ex);
}

static int prepare(void **state)
{
    (void)state;
    if (!ex)
        ex = execution_create(sandbox_program);
    ex->plan_length = 0;
    ex->stop_after_plan = ex->stop_at_bug = false;
    ex->max_agent_steps = 0;
    ex->picker = NULL;
    return 0;
}

static void plan(unsigned count, const AgentId *agents)
{
    for (unsigned i = 0; i < count; i++)
        ex->plan[i] = (PlanStep){.agent = agents[i]};
    ex->plan_length = count;
}

#define PLAN(...) plan(sizeof((AgentId[]){__VA_ARGS__}) / sizeof(AgentId), (AgentId[]){__VA_ARGS__})

/* ---- Following plans --------------------------------------------------------------------- */

static void *store_twice(void *argument)
{
    STORE(x, 1 + (uintptr_t)argument);
    STORE(x, 10 + (uintptr_t)argument);
    return argument;
}

static void two_body(void) { sandbox_threads(2, store_twice); }

static void expect_agents(unsigned count, const AgentId *agents)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(ex->events[i].agent, agents[i]);
}

static void test_default_policy(void **state)
{
    (void)state;
    run_body(two_body);
    assert_int_equal(ex->end, END_COMPLETE);
    assert_int_equal(ex->event_count, 8);
    assert_int_equal(ex->agent_count, 3);
    expect_agents(8, (AgentId[]){1, 1, 1, 0, 2, 2, 2, 0});
    assert_int_equal(execution_preemptions(ex, ex->event_count), 0);
    assert_int_equal(ex->agents[1].creator, 0);
    assert_int_equal(ex->agents[1].creator_step, UINT32_MAX);
}

static void test_plan(void **state)
{
    (void)state;
    PLAN(2, 1, 2, 2, 1);
    run_body(two_body);
    assert_int_equal(ex->end, END_COMPLETE);
    expect_agents(8, (AgentId[]){2, 1, 2, 2, 1, 1, 0, 0});
    assert_int_equal(execution_preemptions(ex, ex->event_count), 2);
    const Access *first = &ex->accesses[ex->events[0].first_access];
    assert_int_equal(first->before, 0);
    assert_int_equal(first->after, 2);
    assert_int_equal(first->lanes, address_of(&x) % 8 ? 0xf0 : 0x0f);
}

static void test_stop_after_plan(void **state)
{
    (void)state;
    PLAN(1, 2, 1);
    ex->stop_after_plan = true;
    run_body(two_body);
    assert_int_equal(ex->end, END_PLANNED);
    assert_int_equal(ex->event_count, 3);
    assert_int_equal(ex->accesses[ex->events[2].first_access].after, 10);
    ex->plan_length = 0;
    run_body(two_body);
    assert_int_equal(ex->end, END_PLANNED);
    assert_int_equal(ex->event_count, 0);
}

static void test_divergence(void **state)
{
    (void)state;
    PLAN(1, 0); /* main waits in its join */
    run_body(two_body);
    assert_int_equal(ex->end, END_DIVERGED);
    assert_int_equal(ex->diverged_at, 1);
    PLAN(7);
    run_body(two_body);
    assert_int_equal(ex->end, END_DIVERGED);
    assert_int_equal(ex->diverged_at, 0);
}

/* A picker that takes agents from the largest number down, and gives up after some steps. */
typedef struct Downward {
    Picker picker;
    uint32_t steps;
} Downward;

static AgentId pick_largest(Picker *self, Execution *execution, AgentId current)
{
    (void)current;
    if (execution->event_count == ((Downward *)self)->steps)
        return AGENT_NONE;
    AgentId agent = execution->agent_count;
    do
        agent--;
    while (!sandbox_program->ops->enabled(sandbox_program, agent));
    return agent;
}

static void test_picker(void **state)
{
    Downward downward = {{.pick = pick_largest}, 100};
    (void)state;
    ex->picker = &downward.picker;
    run_body(two_body);
    assert_int_equal(ex->end, END_COMPLETE);
    expect_agents(8, (AgentId[]){2, 2, 2, 1, 1, 1, 0, 0});
    downward.steps = 3;
    run_body(two_body);
    assert_int_equal(ex->end, END_ABANDONED);
    assert_int_equal(ex->event_count, 3);
    assert_int_equal(ex->blocked_count, 1);
}

static void test_bound(void **state)
{
    (void)state;
    ex->max_agent_steps = 1;
    run_body(two_body);
    assert_int_equal(ex->end, END_COMPLETE);
    assert_int_equal(ex->cuts[CUT_STEPS], 2);
    assert_int_equal(ex->event_count, 2);
    assert_int_equal(ex->finding_count, 0); /* main waits because of the bound */
}

/* ---- Deadlocks ------------------------------------------------------------------------------- */

static void *crosswise(void *argument)
{
    pthread_mutex_t *first = argument ? &mutex_a : &mutex_b, *second = argument ? &mutex_b : &mutex_a;
    sennit_rt_site = SITE;
    sennit_rt_pthread_mutex_lock(first);
    sennit_rt_pthread_mutex_lock(second);
    return NULL;
}

static void *endless_third(void *argument)
{
    if ((uintptr_t)argument < 2)
        return crosswise(argument);
    for (int i = 0; i < 5; i++)
        STORE(y, i);
    return argument;
}

static void cross_body(void)
{
    sennit_rt_pthread_mutex_init(&mutex_a, NULL);
    sennit_rt_pthread_mutex_init(&mutex_b, NULL);
    sandbox_threads(3, endless_third);
}

/* Reported as soon as the cycle is closed, while the third thread can go on. */
static void test_cycle(void **state)
{
    HeldLock locks[4];
    (void)state;
    PLAN(1, 2);
    run_body(cross_body);
    assert_int_equal(ex->end, END_COMPLETE);
    assert_int_equal(ex->finding_count, 1);
    assert_int_equal(ex->findings[0].kind, BUG_DEADLOCK);
    assert_int_equal(ex->findings[0].position, 2);
    assert_int_equal(ex->findings[0].agent_count, 2);
    assert_int_equal(ex->blocked_count, 3);
    assert_int_equal(held_locks(ex, ex->event_count, 1, locks, 4), 1);
    assert_int_equal(held_waits_for(ex, ex->event_count, &ex->accesses[ex->blocked[1].first_access],
                                  ex->blocked[1].access_count), 2);
    ex->stop_at_bug = true;
    run_body(cross_body);
    assert_int_equal(ex->end, END_ABANDONED);
    assert_int_equal(ex->event_count, 2);
}

static void *fail_holding(void *argument)
{
    sennit_rt_pthread_mutex_lock(&mutex_a);
    if (!argument)
        report_bug(BUG_ASSERTION, "stops with the lock held");
    return argument;
}

static void after_bug_body(void)
{
    sennit_rt_pthread_mutex_init(&mutex_a, NULL);
    sandbox_threads(2, fail_holding);
}

/* Who waits for a thread that a bug stopped is not deadlocked. */
static void test_waiting_for_a_bug(void **state)
{
    (void)state;
    run_body(after_bug_body);
    assert_int_equal(ex->finding_count, 1);
    assert_int_equal(ex->findings[0].kind, BUG_ASSERTION);
    assert_int_equal(ex->blocked_count, 2);
}

/* ---- What every execution starts with ------------------------------------------------------------ */

static int first_random, exits;

static void count_exit(void) { exits++; }

static void fresh_body(void)
{
    CHECK(READ4(x) == 0 && READ4(big[39999]) == 0 && errno == 0);
    WRITE4(x, 5);
    WRITE4(big[39999], 7);
    int random = sennit_rt_rand();
    CHECK(!first_random || random == first_random);
    first_random = random;
    errno = EPERM;
    CHECK(sennit_rt_atexit(count_exit) == 0);
}

static void test_reset(void **state)
{
    (void)state;
    exits = 0;
    for (int i = 1; i <= 3; i++) {
        run_body(fresh_body);
        assert_int_equal(ex->finding_count, 0);
        assert_int_equal(exits, i);
    }
}

static void *own_errno(void *argument)
{
    errno = (int)(uintptr_t)argument + 1;
    RMW(x, ADD, 1);
    CHECK(errno == (int)(uintptr_t)argument + 1);
    return argument;
}

static void errno_body(void) { sandbox_threads(3, own_errno); }

static jmp_buf away;

static void jump_body(void)
{
    volatile int round = 0;
    if (setjmp(away) < 3) {
        round++;
        STORE(x, round);
        longjmp(away, round);
    }
    CHECK(round == 3);
}

static int backwards(const void *a, const void *b)
{
    RMW(y, ADD, 1); /* a scheduling point inside libc's function */
    return *(const int *)b - *(const int *)a;
}

static void *sort(void *argument)
{
    int numbers[] = {3, 1, 4, 1, 5};
    sennit_rt_qsort(numbers, 5, sizeof numbers[0], backwards);
    CHECK(numbers[0] == 5 && numbers[4] == 1);
    return argument;
}

static void sort_body(void) { sandbox_threads(2, sort); }

static void test_c_library(void **state)
{
    (void)state;
    sandbox_expect(errno_body, 6);
    sandbox_expect(jump_body, 1);
    PLAN(2, 1, 2, 1, 2, 1);
    run_body(sort_body);
    assert_int_equal(ex->end, END_COMPLETE);
    assert_int_equal(ex->finding_count, 0);
}

static void exit_body(void) { sennit_rt_exit(3); }

static void test_exit_code(void **state)
{
    (void)state;
    run_body(exit_body);
    assert_int_equal(ex->finding_count, 1);
    assert_int_equal(ex->findings[0].kind, BUG_EXIT_CODE);
    assert_int_equal(ex->status, 3);
}

/* ---- Names -------------------------------------------------------------------------------------------- */

static void *nested(void *argument)
{
    if (argument)
        sandbox_threads(1, store_twice);
    return argument;
}

static void nested_body(void) { sandbox_threads(2, nested); }

static void test_names(void **state)
{
    const ProgramOps *ops = sandbox_program->ops;
    char text[128];
    Place place;
    (void)state;
    run_body(nested_body);
    AgentId grandchild = ops->agent_find(sandbox_program, "0.2.1");
    ops->agent_path(sandbox_program, grandchild, text, sizeof text);
    assert_string_equal(text, "0.2.1");
    assert_int_equal(ex->agents[grandchild].creator, ops->agent_find(sandbox_program, "0.2"));
    assert_int_equal(ops->agent_find(sandbox_program, "nonsense"), AGENT_NONE);
    ops->agent_name(sandbox_program, 0, text, sizeof text);
    assert_string_equal(text, "main");
    const Event *event = &ex->events[0];
    while (event->op != OP_ATOMIC_STORE)
        event++;
    ops->step_text(sandbox_program, event->op, &ex->accesses[event->first_access], event->access_count, text, sizeof text);
    assert_non_null(strstr(text, "x: 0 -> 1"));
    assert_true(ops->place(sandbox_program, event->site, &place));
    assert_string_equal(place.function, "store_twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_default_policy, prepare), cmocka_unit_test_setup(test_plan, prepare),
        cmocka_unit_test_setup(test_stop_after_plan, prepare), cmocka_unit_test_setup(test_divergence, prepare),
        cmocka_unit_test_setup(test_picker, prepare),         cmocka_unit_test_setup(test_bound, prepare),
        cmocka_unit_test_setup(test_cycle, prepare),          cmocka_unit_test_setup(test_waiting_for_a_bug, prepare),
        cmocka_unit_test_setup(test_reset, prepare),          cmocka_unit_test_setup(test_c_library, prepare),
        cmocka_unit_test_setup(test_exit_code, prepare),      cmocka_unit_test_setup(test_names, prepare),
    };
    return sandbox_main(tests, sizeof tests / sizeof tests[0]);
}
