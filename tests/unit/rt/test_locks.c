/* test_locks.c - mutexes, read-write locks, spin locks: answers, misuse, counts */
#include <errno.h>

#include "sandbox.h"

static const struct timespec deadline = {.tv_sec = 1};

/* ---- Mutexes ----------------------------------------------------------------- */

static pthread_mutex_t mutex;
static int counter;

static void init_mutex(int type, int robust)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type);
    pthread_mutexattr_setrobust(&attr, robust);
    CHECK(sennit_rt_pthread_mutex_init(&mutex, &attr) == 0);
    counter = 0;
}

static void *count_up(void *argument)
{
    CHECK(sennit_rt_pthread_mutex_lock(&mutex) == 0);
    counter++;
    CHECK(sennit_rt_pthread_mutex_unlock(&mutex) == 0);
    return argument;
}

static void three_sections(void)
{
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    sandbox_threads(3, count_up);
    CHECK(counter == 3);
    CHECK(sennit_rt_pthread_mutex_destroy(&mutex) == 0);
}

static void test_sections_in_every_order(void **state)
{
    (void)state;
    sandbox_expect(three_sections, 6);
}

static void recursive_body(void)
{
    init_mutex(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
    CHECK(sennit_rt_pthread_mutex_lock(&mutex) == 0);
    CHECK(sennit_rt_pthread_mutex_lock(&mutex) == 0);
    CHECK(sennit_rt_pthread_mutex_trylock(&mutex) == 0);
    CHECK(sennit_rt_pthread_mutex_timedlock(&mutex, &deadline) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(sennit_rt_pthread_mutex_unlock(&mutex) == 0);
    CHECK(sennit_rt_pthread_mutex_unlock(&mutex) == EPERM);
}

static void errorcheck_body(void)
{
    init_mutex(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
    CHECK(sennit_rt_pthread_mutex_unlock(&mutex) == EPERM);
    CHECK(sennit_rt_pthread_mutex_lock(&mutex) == 0);
    CHECK(sennit_rt_pthread_mutex_lock(&mutex) == EDEADLK);
    CHECK(sennit_rt_pthread_mutex_trylock(&mutex) == EBUSY);
    CHECK(sennit_rt_pthread_mutex_timedlock(&mutex, &deadline) == EDEADLK);
    CHECK(sennit_rt_pthread_mutex_unlock(&mutex) == 0);
}

static void initialisers_body(void)
{
    pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    CHECK(sennit_rt_pthread_mutex_lock(&recursive) == 0);
    CHECK(sennit_rt_pthread_mutex_lock(&recursive) == 0);
    CHECK(sennit_rt_pthread_mutex_lock(&checking) == 0);
    CHECK(sennit_rt_pthread_mutex_lock(&checking) == EDEADLK);
}

/* The bytes of an initialiser make an object new, whatever it was before. */
static void assigned_again_body(void)
{
    pthread_mutex_t object = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    CHECK(sennit_rt_pthread_mutex_lock(&object) == 0);
    object = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    CHECK(sennit_rt_pthread_mutex_trylock(&object) == 0);
    CHECK(sennit_rt_pthread_mutex_unlock(&object) == 0);
    CHECK(sennit_rt_pthread_mutex_destroy(&object) == 0);
    object = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    CHECK(sennit_rt_pthread_mutex_lock(&object) == 0);
}

static void test_kinds_answer_as_posix_says(void **state)
{
    (void)state;
    sandbox_expect(recursive_body, 1);
    sandbox_expect(errorcheck_body, 1);
    sandbox_expect(initialisers_body, 1);
    sandbox_expect(assigned_again_body, 1);
}

static void self_lock_body(void)
{
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    sennit_rt_pthread_mutex_lock(&mutex);
    sennit_rt_pthread_mutex_lock(&mutex);
}

static void test_normal_mutex_locked_twice_is_a_deadlock(void **state)
{
    (void)state;
    sandbox_expect_bug(self_lock_body, 1, BUG_DEADLOCK, 1);
}

/* ---- Misuse -------------------------------------------------------------------- */

static void *hold(void *argument)
{
    sennit_rt_pthread_mutex_lock(&mutex);
    return argument;
}

static void unlock_free_body(void)
{
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    sennit_rt_pthread_mutex_unlock(&mutex);
}

static void unlock_foreign_body(void)
{
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    sandbox_threads(1, hold);
    sennit_rt_pthread_mutex_unlock(&mutex);
}

static void destroy_held_body(void)
{
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    sandbox_threads(1, hold);
    sennit_rt_pthread_mutex_destroy(&mutex);
}

static void use_destroyed_body(void)
{
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    sennit_rt_pthread_mutex_destroy(&mutex);
    sennit_rt_pthread_mutex_lock(&mutex);
}

static void destroy_twice_body(void)
{
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    sennit_rt_pthread_mutex_destroy(&mutex);
    sennit_rt_pthread_mutex_destroy(&mutex);
}

static void uninitialised_body(void)
{
    memset(&mutex, 0x5a, sizeof mutex);
    sennit_rt_pthread_mutex_lock(&mutex);
}

static void init_held_body(void)
{
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    sennit_rt_pthread_mutex_lock(&mutex);
    sennit_rt_pthread_mutex_init(&mutex, NULL);
}

static void test_misuse_is_reported(void **state)
{
    (void)state;
    sandbox_expect_bug(unlock_free_body, 1, BUG_LOCK_MISUSE, 1);
    sandbox_expect_bug(unlock_foreign_body, 1, BUG_LOCK_MISUSE, 1);
    sandbox_expect_bug(destroy_held_body, 1, BUG_LOCK_MISUSE, 1);
    sandbox_expect_bug(use_destroyed_body, 1, BUG_LOCK_MISUSE, 1);
    sandbox_expect_bug(destroy_twice_body, 1, BUG_LOCK_MISUSE, 1);
    sandbox_expect_bug(uninitialised_body, 1, BUG_LOCK_MISUSE, 1);
    sandbox_expect_bug(init_held_body, 1, BUG_LOCK_MISUSE, 1);
}

/* ---- Time-outs -------------------------------------------------------------------- */

static void timed_body(void)
{
    pthread_t handle;
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    sennit_rt_pthread_create(&handle, NULL, count_up, NULL);
    int error = sennit_rt_pthread_mutex_timedlock(&mutex, &deadline);
    CHECK(error == 0 || error == ETIMEDOUT);
    if (error == 0)
        sennit_rt_pthread_mutex_unlock(&mutex);
    sennit_rt_pthread_join(handle, NULL);
}

/* Before, inside (times out) or after the other's section. */
static void test_a_timed_lock_may_time_out(void **state)
{
    (void)state;
    sandbox_expect(timed_body, 3);
}

static void retry_body(void)
{
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    sandbox_threads(1, hold);
    while (sennit_rt_pthread_mutex_timedlock(&mutex, &deadline) == ETIMEDOUT)
        continue;
}

static void test_a_retry_loop_is_bounded_not_deadlocked(void **state)
{
    (void)state;
    Result result = sandbox_explore(retry_body);
    assert_int_equal(result.executions, 1);
    assert_int_equal(result.bounded, 1);
    assert_int_equal(result.findings[BUG_DEADLOCK], 0);
}

/* ---- Robust mutexes ----------------------------------------------------------------- */

static void *try_after_death(void *argument)
{
    int error = sennit_rt_pthread_mutex_lock(&mutex);
    CHECK(error == (int)(uintptr_t)argument);
    return NULL;
}

static void robust_body(void)
{
    pthread_t handle;
    init_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    CHECK(sennit_rt_pthread_mutex_unlock(&mutex) == EPERM);
    sandbox_threads(1, hold);
    CHECK(sennit_rt_pthread_mutex_lock(&mutex) == EOWNERDEAD);
    CHECK(sennit_rt_pthread_mutex_consistent(&mutex) == 0);
    CHECK(sennit_rt_pthread_mutex_consistent(&mutex) == EINVAL);
    CHECK(sennit_rt_pthread_mutex_unlock(&mutex) == 0);
    sandbox_threads(1, hold);
    CHECK(sennit_rt_pthread_mutex_trylock(&mutex) == EOWNERDEAD);
    CHECK(sennit_rt_pthread_mutex_unlock(&mutex) == 0);
    sennit_rt_pthread_create(&handle, NULL, try_after_death, (void *)(uintptr_t)ENOTRECOVERABLE);
    sennit_rt_pthread_join(handle, NULL);
}

static void test_a_robust_mutex_survives_its_owner(void **state)
{
    (void)state;
    sandbox_expect(robust_body, 1);
}

/* ---- Read-write locks ------------------------------------------------------------------ */

static pthread_rwlock_t rwlock;

static void *read_it(void *argument)
{
    CHECK(sennit_rt_pthread_rwlock_rdlock(&rwlock) == 0);
    CHECK(sennit_rt_pthread_rwlock_tryrdlock(&rwlock) == 0);
    CHECK(sennit_rt_pthread_rwlock_trywrlock(&rwlock) == EBUSY);
    CHECK(sennit_rt_pthread_rwlock_unlock(&rwlock) == 0);
    CHECK(sennit_rt_pthread_rwlock_unlock(&rwlock) == 0);
    return argument;
}

static void readers_body(void)
{
    sennit_rt_pthread_rwlock_init(&rwlock, NULL);
    sandbox_threads(3, read_it);
    CHECK(sennit_rt_pthread_rwlock_wrlock(&rwlock) == 0);
    CHECK(sennit_rt_pthread_rwlock_wrlock(&rwlock) == EDEADLK);
    CHECK(sennit_rt_pthread_rwlock_rdlock(&rwlock) == EDEADLK);
    CHECK(sennit_rt_pthread_rwlock_tryrdlock(&rwlock) == EBUSY);
    CHECK(sennit_rt_pthread_rwlock_timedrdlock(&rwlock, &deadline) == EDEADLK);
    CHECK(sennit_rt_pthread_rwlock_unlock(&rwlock) == 0);
    CHECK(sennit_rt_pthread_rwlock_destroy(&rwlock) == 0);
}

static void upgrade_body(void)
{
    sennit_rt_pthread_rwlock_init(&rwlock, NULL);
    sennit_rt_pthread_rwlock_rdlock(&rwlock);
    sennit_rt_pthread_rwlock_wrlock(&rwlock);
}

static void unheld_body(void)
{
    sennit_rt_pthread_rwlock_init(&rwlock, NULL);
    sennit_rt_pthread_rwlock_unlock(&rwlock);
}

static void destroy_read_body(void)
{
    sennit_rt_pthread_rwlock_init(&rwlock, NULL);
    sennit_rt_pthread_rwlock_rdlock(&rwlock);
    sennit_rt_pthread_rwlock_destroy(&rwlock);
}

static void test_read_write_locks(void **state)
{
    (void)state;
    sandbox_expect(readers_body, 1);
    sandbox_expect_bug(upgrade_body, 1, BUG_DEADLOCK, 1);
    sandbox_expect_bug(unheld_body, 1, BUG_LOCK_MISUSE, 1);
    sandbox_expect_bug(destroy_read_body, 1, BUG_LOCK_MISUSE, 1);
}

/* ---- Spin locks ---------------------------------------------------------------------------- */

static pthread_spinlock_t spin;

static void *spin_once(void *argument)
{
    CHECK(sennit_rt_pthread_spin_lock(&spin) == 0);
    CHECK(sennit_rt_pthread_spin_trylock(&spin) == EBUSY);
    CHECK(sennit_rt_pthread_spin_unlock(&spin) == 0);
    return argument;
}

static void spin_body(void)
{
    sennit_rt_pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sandbox_threads(2, spin_once);
    CHECK(sennit_rt_pthread_spin_destroy(&spin) == 0);
}

static void spin_unlock_body(void)
{
    sennit_rt_pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sennit_rt_pthread_spin_unlock(&spin);
}

static void test_spin_locks(void **state)
{
    (void)state;
    sandbox_expect(spin_body, 2);
    sandbox_expect_bug(spin_unlock_body, 1, BUG_LOCK_MISUSE, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections_in_every_order),
        cmocka_unit_test(test_kinds_answer_as_posix_says),
        cmocka_unit_test(test_normal_mutex_locked_twice_is_a_deadlock),
        cmocka_unit_test(test_misuse_is_reported),
        cmocka_unit_test(test_a_timed_lock_may_time_out),
        cmocka_unit_test(test_a_retry_loop_is_bounded_not_deadlocked),
        cmocka_unit_test(test_a_robust_mutex_survives_its_owner),
        cmocka_unit_test(test_read_write_locks),
        cmocka_unit_test(test_spin_locks),
    };
    return sandbox_main(tests, sizeof tests / sizeof *tests);
}
