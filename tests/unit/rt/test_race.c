/* test_race.c - data races: what C11's happens-before orders, and what it does not */
#include "instrumented.h"

static int data, flag, count;
static char text[16];
static pthread_mutex_t mutex;
GLOBAL(data);
GLOBAL(flag);
GLOBAL(count);
GLOBAL(text);

/* The threads of a body: number 0 runs `first`, 1 `second`, 2 `third`. */
static void (*parts[3])(void);

static void *run_part(void *argument)
{
    parts[(uintptr_t)argument]();
    return argument;
}

static unsigned part_count;
static void parts_body(void)
{
    sennit_rt_pthread_mutex_init(&mutex, NULL);
    sandbox_threads(part_count, run_part);
}

static Result explore_parts(void (*first)(void), void (*second)(void), void (*third)(void))
{
    parts[0] = first;
    parts[1] = second;
    parts[2] = third;
    part_count = third ? 3 : 2;
    return sandbox_explore(parts_body);
}

static void expect_race(void (*first)(void), void (*second)(void), void (*third)(void))
{
    Result result = explore_parts(first, second, third);
    assert_int_equal(result.end, EXPLORE_DONE);
    assert_true(result.findings[BUG_DATA_RACE] > 0);
}

static void expect_none(void (*first)(void), void (*second)(void), void (*third)(void))
{
    Result result = explore_parts(first, second, third);
    assert_int_equal(result.end, EXPLORE_DONE);
    for (int kind = 0; kind < BUG_KIND_COUNT; kind++)
        assert_int_equal(result.findings[kind], 0);
}

/* ---- Parts ------------------------------------------------------------------------------ */

static void read_data(void) { (void)READ4(data); }
static void write_data(void) { WRITE4(data, 1); }
static void load_data(void) { LOAD(data); }
static void store_data(void) { STORE(data, 2); }

static void write_locked(void)
{
    sennit_rt_pthread_mutex_lock(&mutex);
    WRITE4(data, 2);
    sennit_rt_pthread_mutex_unlock(&mutex);
}

static void publish(memory_order order)
{
    WRITE4(data, 1);
    STORE_AS(flag, 1, order);
}

static void await_flag(int value, memory_order order)
{
    sennit_rt_atomic_await(&flag, sizeof flag, order, REL_EQ, UINT64_MAX, (uint64_t)value, SITE);
}

static void publish_release(void) { publish(memory_order_release); }
static void publish_relaxed(void) { publish(memory_order_relaxed); }

static void take_acquire(void)
{
    await_flag(1, memory_order_acquire);
    WRITE4(data, 2);
}

static void take_relaxed(void)
{
    await_flag(1, memory_order_relaxed);
    WRITE4(data, 2);
}

static void take_second(void)
{
    await_flag(2, memory_order_acquire);
    WRITE4(data, 2);
}

static void publish_fence(void)
{
    WRITE4(data, 1);
    FENCE(memory_order_release);
    STORE_AS(flag, 1, memory_order_relaxed);
}

static void publish_behind_fence(void)
{
    FENCE(memory_order_release);
    WRITE4(data, 1);
    STORE_AS(flag, 1, memory_order_relaxed);
}

static void take_fence(void)
{
    await_flag(1, memory_order_relaxed);
    FENCE(memory_order_acquire);
    WRITE4(data, 2);
}

static void continue_by_update(void)
{
    sennit_rt_atomic_await_rmw(&flag, SENNIT_RMW_ADD, 1, sizeof flag, memory_order_relaxed, REL_EQ, UINT64_MAX, 1, SITE);
}

static void break_by_store(void)
{
    await_flag(1, memory_order_relaxed);
    STORE_AS(flag, 2, memory_order_relaxed);
}

/* What the update of another thread released belongs to that update, not to a later store of the first one. */
static void store_again(void)
{
    STORE_AS(flag, 1, memory_order_release);
    await_flag(2, memory_order_relaxed);
    STORE_AS(flag, 3, memory_order_relaxed);
}

static void write_and_update(void)
{
    WRITE4(data, 1);
    sennit_rt_atomic_await_rmw(&flag, SENNIT_RMW_ADD, 1, sizeof flag, memory_order_release, REL_EQ, UINT64_MAX, 1, SITE);
}

/* A thread's own release goes with its later stores, whatever other threads stored in between. */
static void write_and_store_again(void)
{
    WRITE4(data, 1);
    store_again();
}

static void take_third(void)
{
    await_flag(3, memory_order_acquire);
    WRITE4(data, 2);
}

static void write_then_count(void)
{
    WRITE4(data, 1);
    UPDATE(count, ADD, 1);
}

static void count_then_write(void)
{
    UPDATE(count, ADD, 1);
    WRITE4(data, 2);
}

static void count_then_tell(void)
{
    WRITE4(data, 1);
    UPDATE(count, ADD, 1);
    STORE_AS(flag, 1, memory_order_relaxed);
}

static void told_then_count(void)
{
    await_flag(1, memory_order_relaxed);
    UPDATE(count, ADD, 1);
    WRITE4(data, 2);
}

static void write_low(void) { WRITE(text[0], 'a'); }
static void write_high(void) { WRITE(text[1], 'b'); }
static void write_all(void) { sennit_rt_memset(text, 'c', sizeof text); }

/* ---- Tests --------------------------------------------------------------------------------- */

static void test_plain(void **state)
{
    (void)state;
    expect_race(write_data, write_data, NULL);
    expect_race(read_data, write_data, NULL);
    expect_race(read_data, read_data, write_data);
    expect_none(read_data, read_data, read_data);
}

static void test_mixed(void **state)
{
    (void)state;
    expect_race(store_data, read_data, NULL);
    expect_race(load_data, write_data, NULL);
    expect_none(load_data, read_data, NULL);
    expect_none(load_data, store_data, store_data);
}

static void test_locks(void **state)
{
    (void)state;
    expect_none(write_locked, write_locked, NULL);
    expect_race(write_locked, write_data, NULL);
}

static void test_orders(void **state)
{
    (void)state;
    expect_none(publish_release, take_acquire, NULL);
    expect_race(publish_relaxed, take_acquire, NULL);
    expect_race(publish_release, take_relaxed, NULL);
}

static void test_fences(void **state)
{
    (void)state;
    expect_none(publish_fence, take_fence, NULL);
    expect_none(publish_fence, take_acquire, NULL);
    expect_race(publish_behind_fence, take_fence, NULL);
    expect_race(publish_relaxed, take_fence, NULL);
}

static void test_release_sequences(void **state)
{
    (void)state;
    expect_none(publish_release, continue_by_update, take_second);
    expect_race(publish_release, break_by_store, take_second);
    expect_race(store_again, write_and_update, take_third);
    expect_none(write_and_store_again, break_by_store, take_third);
}

/* Counters that nobody looks at: their order is not explored and must not hide the race. */
static void test_counters(void **state)
{
    (void)state;
    expect_race(write_then_count, count_then_write, NULL);
    expect_none(count_then_tell, told_then_count, NULL);
}

static void test_lanes(void **state)
{
    (void)state;
    expect_none(write_low, write_high, NULL);
    expect_race(write_low, write_all, NULL);
}

/* ---- Creation and join ------------------------------------------------------------------------ */

static void *use_data(void *argument)
{
    WRITE4(data, READ4(data) + 1);
    return argument;
}

static void ordered_body(void)
{
    WRITE4(data, 1);
    sandbox_threads(1, use_data);
    CHECK(READ4(data) == 2);
    sandbox_threads(1, use_data);
    CHECK(READ4(data) == 3);
}

static void late_body(void)
{
    pthread_t handle;
    sennit_rt_pthread_create(&handle, NULL, use_data, NULL);
    WRITE4(data, 5);
    sennit_rt_pthread_join(handle, NULL);
}

static void test_life(void **state)
{
    (void)state;
    sandbox_expect(ordered_body, 1);
    sandbox_expect_bug(late_body, 1, BUG_DATA_RACE, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),  cmocka_unit_test(test_mixed),    cmocka_unit_test(test_locks),
        cmocka_unit_test(test_orders), cmocka_unit_test(test_fences),   cmocka_unit_test(test_release_sequences),
        cmocka_unit_test(test_lanes),  cmocka_unit_test(test_counters), cmocka_unit_test(test_life),
    };
    return sandbox_main(tests, sizeof tests / sizeof tests[0]);
}
