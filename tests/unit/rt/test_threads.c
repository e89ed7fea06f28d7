/* test_threads.c - life, cancellation, keys, C11 threads, time: answers and counts */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "rt/kernel/seat.h"
#include "sandbox.h"

/* What the instrumenter would say of this program. */
__attribute__((section("sennit_redirected"), used)) static const char uses_cancel[] = "pthread_cancel";

/* ---- Join and detach ------------------------------------------------------------- */

static pthread_t target;

static void *answer(void *argument)
{
    return argument;
}

static void join_body(void)
{
    static int token;
    void *result = NULL;
    sennit_rt_pthread_create(&target, NULL, answer, &token);
    CHECK(sennit_rt_pthread_join(target, &result) == 0 && result == &token);
    CHECK(sennit_rt_pthread_join(sennit_rt_pthread_self(), NULL) == EDEADLK);
    CHECK(sennit_rt_pthread_join(12345, NULL) == ESRCH);
    CHECK(sennit_rt_pthread_join(0, NULL) == ESRCH);
    CHECK(sennit_rt_pthread_detach(12345) == ESRCH);
}

/* Joining or detaching it again is lock misuse: tests/bugs/lock-misuse/join_detached.c, join_twice.c. */
static void detached_body(void)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    CHECK(sennit_rt_pthread_create(&target, &attr, answer, NULL) == 0);
    sennit_rt_pthread_create(&target, NULL, answer, NULL);
    CHECK(sennit_rt_pthread_detach(target) == 0);
}

static void try_join_body(void)
{
    sennit_rt_pthread_create(&target, NULL, answer, NULL);
    int error = sennit_rt_pthread_tryjoin_np(target, NULL);
    CHECK(error == 0 || error == EBUSY);
    if (error)
        CHECK(sennit_rt_pthread_join(target, NULL) == 0);
}

static void test_join(void **state)
{
    (void)state;
    sandbox_expect(join_body, 1);
    sandbox_expect(detached_body, 1);
    sandbox_expect(try_join_body, 2);
}

/* ---- Exit, cleanup, cancellation --------------------------------------------------- */

static int cleaned, reached;
static sem_t never;
static pthread_mutex_t mutex;
static pthread_cond_t cond;

static void clean(void *argument)
{
    cleaned = cleaned * 10 + *(int *)argument;
}

static int one = 1, two = 2;

/* The macros, with their calls redirected as the instrumenter does. */
#define __pthread_register_cancel sennit_rt___pthread_register_cancel
#define __pthread_unregister_cancel sennit_rt___pthread_unregister_cancel
#define __pthread_unwind_next sennit_rt___pthread_unwind_next

static void *exit_with_handlers(void *argument)
{
    pthread_cleanup_push(clean, &one);
    sennit_rt__pthread_cleanup_push(NULL, clean, &two);
    sennit_rt_pthread_exit(argument);
    sennit_rt__pthread_cleanup_pop(NULL, 0);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *pop_handlers(void *argument)
{
    pthread_cleanup_push(clean, &one);
    pthread_cleanup_push(clean, &two);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    return argument;
}

#undef __pthread_register_cancel
#undef __pthread_unregister_cancel
#undef __pthread_unwind_next

static void exit_body(void)
{
    void *result;
    cleaned = 0;
    sennit_rt_pthread_create(&target, NULL, exit_with_handlers, &one);
    CHECK(sennit_rt_pthread_join(target, &result) == 0 && result == &one);
    CHECK(cleaned == 21);
    cleaned = 0;
    sandbox_threads(1, pop_handlers);
    CHECK(cleaned == 2);
}

static void test_cleanup_handlers(void **state)
{
    (void)state;
    sandbox_expect(exit_body, 1);
}

static void *wait_for_ever(void *argument)
{
    sennit_rt__pthread_cleanup_push(NULL, clean, &one);
    sennit_rt_sem_wait(&never);
    sennit_rt__pthread_cleanup_pop(NULL, 0);
    return argument;
}

static void cancel_blocked_body(void)
{
    void *result;
    cleaned = 0;
    sennit_rt_sem_init(&never, 0, 0);
    sennit_rt_pthread_create(&target, NULL, wait_for_ever, NULL);
    CHECK(sennit_rt_pthread_cancel(target) == 0);
    CHECK(sennit_rt_pthread_join(target, &result) == 0 && result == PTHREAD_CANCELED);
    CHECK(cleaned == 1);
    CHECK(sennit_rt_pthread_cancel(999) == ESRCH);
}

static void unlock(void *argument)
{
    CHECK(sennit_rt_pthread_mutex_unlock(argument) == 0);
    cleaned++;
}

static void *wait_condition(void *argument)
{
    sennit_rt_pthread_mutex_lock(&mutex);
    sennit_rt__pthread_cleanup_push(NULL, unlock, &mutex);
    sennit_rt_pthread_cond_wait(&cond, &mutex);
    sennit_rt__pthread_cleanup_pop(NULL, 1);
    return argument;
}

/* The handler finds the mutex locked, whether the request comes before the wait or in it. */
static void cancel_wait_body(void)
{
    void *result;
    cleaned = 0;
    sennit_rt_pthread_mutex_init(&mutex, NULL);
    sennit_rt_pthread_cond_init(&cond, NULL);
    sennit_rt_pthread_create(&target, NULL, wait_condition, NULL);
    sennit_rt_pthread_cancel(target);
    sennit_rt_pthread_join(target, &result);
    CHECK(result == PTHREAD_CANCELED && cleaned == 1);
    CHECK(sennit_rt_pthread_mutex_lock(&mutex) == 0);
    CHECK(sennit_rt_pthread_cond_destroy(&cond) == 0);
}

static void *disabled(void *argument)
{
    int old = -1;
    CHECK(sennit_rt_pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    CHECK(sennit_rt_pthread_setcancelstate(99, &old) == EINVAL);
    CHECK(sennit_rt_pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    sennit_rt_pthread_testcancel();
    sennit_rt_sleep(1);
    reached = 1;
    sennit_rt_pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    sennit_rt_pthread_testcancel();
    return argument;
}

static void cancel_disabled_body(void)
{
    void *result;
    reached = 0;
    sennit_rt_pthread_create(&target, NULL, disabled, NULL);
    sennit_rt_pthread_cancel(target);
    sennit_rt_pthread_join(target, &result);
    CHECK(reached && (result == NULL || result == PTHREAD_CANCELED));
}

static void test_cancellation(void **state)
{
    (void)state;
    sandbox_expect(cancel_blocked_body, 1);
    Result result = sandbox_explore(cancel_wait_body);
    assert_int_equal(result.findings[BUG_ASSERTION] + result.findings[BUG_LOCK_MISUSE] + result.blocked, 0);
    assert_int_equal(result.executions, 2);
    sandbox_expect(cancel_disabled_body, 2);
}

/* ---- Keys ------------------------------------------------------------------------------ */

static pthread_key_t key[2];
static int destroyed;

static void destroy_again(void *value)
{
    destroyed++;
    sennit_rt_pthread_setspecific(key[0], value); /* as long as the rounds last */
}

static void *set_values(void *argument)
{
    CHECK(sennit_rt_pthread_getspecific(key[0]) == NULL);
    CHECK(sennit_rt_pthread_setspecific(key[0], &destroyed) == 0);
    CHECK(sennit_rt_pthread_setspecific(key[1], argument) == 0);
    CHECK(sennit_rt_pthread_getspecific(key[0]) == &destroyed);
    CHECK(sennit_rt_pthread_getspecific(key[1]) == argument);
    return argument;
}

/* The first key is deleted: its use would be a bug. */
static void *set_other_value(void *argument)
{
    CHECK(sennit_rt_pthread_getspecific(key[1]) == NULL);
    CHECK(sennit_rt_pthread_setspecific(key[1], argument) == 0);
    CHECK(sennit_rt_pthread_getspecific(key[1]) == argument);
    return argument;
}

static void keys_body(void)
{
    destroyed = 0;
    CHECK(sennit_rt_pthread_key_create(&key[0], destroy_again) == 0);
    CHECK(sennit_rt_pthread_key_create(&key[1], NULL) == 0);
    CHECK(key[0] != key[1]);
    sandbox_threads(1, set_values);
    CHECK(destroyed == PTHREAD_DESTRUCTOR_ITERATIONS);
    CHECK(sennit_rt_pthread_key_delete(key[0]) == 0);
    CHECK(sennit_rt_pthread_key_delete(key[0]) == EINVAL);
    CHECK(sennit_rt_pthread_key_delete(4000000000u) == EINVAL);
    CHECK(sennit_rt_pthread_setspecific(4000000000u, NULL) == EINVAL);
    CHECK(sennit_rt_pthread_getspecific(4000000000u) == NULL);
    sandbox_threads(1, set_other_value);
    CHECK(destroyed == PTHREAD_DESTRUCTOR_ITERATIONS);
}

static void test_keys(void **state)
{
    (void)state;
    sandbox_expect(keys_body, 1);
}

/* ---- C11 ---------------------------------------------------------------------------------- */

static mtx_t mtx;
static tss_t slot;
static once_flag flag = ONCE_FLAG_INIT;
static int c11_runs;

static void c11_once(void)
{
    c11_runs++;
}

static int c11_thread(void *argument)
{
    CHECK(sennit_rt_mtx_lock(&mtx) == thrd_success);
    CHECK(sennit_rt_mtx_trylock(&mtx) == thrd_busy);
    CHECK(sennit_rt_mtx_unlock(&mtx) == thrd_success);
    CHECK(sennit_rt_tss_set(slot, argument) == thrd_success && sennit_rt_tss_get(slot) == argument);
    sennit_rt_call_once(&flag, c11_once);
    if (*(int *)argument == 2)
        sennit_rt_thrd_exit(-2);
    return *(int *)argument;
}

static void c11_body(void)
{
    thrd_t handle;
    int result = 0;
    c11_runs = 0;
    flag = (once_flag)ONCE_FLAG_INIT;
    CHECK(sennit_rt_mtx_init(&mtx, 99) == thrd_error);
    CHECK(sennit_rt_mtx_init(&mtx, mtx_plain) == thrd_success);
    CHECK(sennit_rt_tss_create(&slot, NULL) == thrd_success);
    CHECK(sennit_rt_thrd_create(&handle, c11_thread, &one) == thrd_success);
    CHECK(sennit_rt_thrd_join(handle, &result) == thrd_success && result == 1);
    CHECK(sennit_rt_thrd_create(&handle, c11_thread, &two) == thrd_success);
    CHECK(!sennit_rt_thrd_equal(handle, sennit_rt_thrd_current()));
    CHECK(sennit_rt_thrd_join(handle, &result) == thrd_success && result == -2);
    CHECK(c11_runs == 1);
    sennit_rt_tss_delete(slot);
    sennit_rt_mtx_destroy(&mtx);
}

static void test_c11(void **state)
{
    (void)state;
    sandbox_expect(c11_body, 1);
}

/* ---- Time ------------------------------------------------------------------------------------ */

static double seconds(clockid_t clock)
{
    struct timespec now;
    CHECK(sennit_rt_clock_gettime(clock, &now) == 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void *sleep_long(void *argument)
{
    sennit_rt_sleep(100);
    return argument;
}

static void time_body(void)
{
    struct timespec wrong = {.tv_nsec = -1}, short_time = {.tv_nsec = 500};
    double begin = seconds(CLOCK_MONOTONIC);
    CHECK(sennit_rt_sleep(2) == 0 && sennit_rt_usleep(500000) == 0);
    CHECK(sennit_rt_nanosleep(&short_time, NULL) == 0);
    CHECK(sennit_rt_nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
    CHECK(sennit_rt_clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL) == EINVAL);
    double passed = seconds(CLOCK_MONOTONIC) - begin;
    CHECK(passed > 2.5 && passed < 2.6);
    CHECK(sennit_rt_clock_gettime((clockid_t)77, &wrong) == -1 && errno == EINVAL);
    sandbox_threads(1, sleep_long);
    CHECK(seconds(CLOCK_MONOTONIC) - begin > 100); /* the thread joined slept */
    CHECK(sennit_rt_time(NULL) > 1700000000);
    CHECK(sennit_rt_clock() > 0);
}

/* No sleep is a scheduling point: one class. */
static void sleepers_body(void)
{
    sandbox_threads(3, sleep_long);
}

static void test_time(void **state)
{
    (void)state;
    sandbox_expect(time_body, 1);
    sandbox_expect(sleepers_body, 1);
}

/* ---- sennit.h ------------------------------------------------------------------------------------ */

static unsigned chosen;

static void *choose(void *argument)
{
    chosen += sennit_rt_sennit_choose(3);
    return argument;
}

static void choose_body(void)
{
    chosen = 0;
    sandbox_threads(2, choose);
    sennit_rt_sennit_assume(chosen != 4);
    CHECK(chosen < 4);
}

static void test_choices_are_all_explored(void **state)
{
    (void)state;
    sandbox_expect(choose_body, 9);
}

static void names_body(void)
{
    char name[16];
    pthread_attr_t attr;
    pthread_t self = sennit_rt_pthread_self();
    CHECK(sennit_rt_pthread_setname_np(self, "worker") == 0);
    CHECK(sennit_rt_pthread_setname_np(self, "a name that is too long") == ERANGE);
    CHECK(sennit_rt_pthread_getname_np(self, name, sizeof name) == 0 && strcmp(name, "worker") == 0);
    CHECK(sennit_rt_pthread_getname_np(self, name, 3) == ERANGE);
    void *bottom = NULL;
    size_t size = 0;
    CHECK(sennit_rt_pthread_getattr_np(self, &attr) == 0);
    CHECK(pthread_attr_getstack(&attr, &bottom, &size) == 0);
    CHECK((char *)bottom <= name && name < (char *)bottom + size);
    CHECK(sennit_rt_pthread_kill(self, 0) == 0 && sennit_rt_pthread_kill(999, 0) == ESRCH);
}

static void test_names_and_attributes(void **state)
{
    (void)state;
    sandbox_expect(names_body, 1);
}

/* ---- Seats -------------------------------------------------------------------------- */

enum { BREADTH = 40 };

/* No two of a thread's descendants have the same seat; counts those whose seats follow from their paths. */
static unsigned mark_seats(bool *taken, uint32_t creator)
{
    unsigned marked = 0;
    for (uint32_t nth = 1; nth <= BREADTH; nth++) {
        uint32_t seat = seat_of_child(creator, nth, 5);
        if (seat >= SEAT_OTHERS) {
            assert_int_equal(seat, seat_of_other(5));
            continue;
        }
        assert_false(taken[seat]);
        taken[seat] = true;
        marked += 1 + mark_seats(taken, seat);
    }
    return marked;
}

static void test_seats(void **state)
{
    static bool taken[RT_SEATS];
    (void)state;
    assert_int_equal(seat_of_child(0, 7, 3), 7);
    assert_int_equal(seat_of_child(0, RT_MAX_AGENTS - 1, 3), RT_MAX_AGENTS - 1);
    assert_true(seat_of_child(8, 8, 3) < SEAT_OTHERS);
    assert_int_equal(seat_of_child(8, 17, 3), seat_of_other(3));
    assert_int_equal(mark_seats(taken, 0), 3268); /* paths of up to 12 bits */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_cleanup_handlers),
        cmocka_unit_test(test_cancellation),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_c11),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_choices_are_all_explored),
        cmocka_unit_test(test_names_and_attributes),
        cmocka_unit_test(test_seats),
    };
    return sandbox_main(tests, sizeof tests / sizeof *tests);
}
