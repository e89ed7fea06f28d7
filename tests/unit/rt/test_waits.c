/* test_waits.c - condition variables, semaphores, barriers, once: answers, misuse, counts */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "sandbox.h"

static const struct timespec deadline = {.tv_sec = 1}, no_time = {.tv_nsec = -1};

/* ---- Condition variables -------------------------------------------------------- */

static pthread_mutex_t mutex, other_mutex;
static pthread_cond_t cond;
static int ready, timed_out;

static void init_condition(void)
{
    sennit_rt_pthread_mutex_init(&mutex, NULL);
    sennit_rt_pthread_mutex_init(&other_mutex, NULL);
    sennit_rt_pthread_cond_init(&cond, NULL);
    ready = timed_out = 0;
}

static void *wait_ready(void *argument)
{
    sennit_rt_pthread_mutex_lock(&mutex);
    while (!ready)
        CHECK(sennit_rt_pthread_cond_wait(&cond, &mutex) == 0);
    sennit_rt_pthread_mutex_unlock(&mutex);
    return argument;
}

static void *set_ready(void *argument)
{
    sennit_rt_pthread_mutex_lock(&mutex);
    ready = 1;
    CHECK(sennit_rt_pthread_cond_broadcast(&cond) == 0);
    sennit_rt_pthread_mutex_unlock(&mutex);
    return argument;
}

static void *wait_or_set(void *argument)
{
    return (uintptr_t)argument < 1 ? set_ready(argument) : wait_ready(argument);
}

static void broadcast_body(void)
{
    init_condition();
    sandbox_threads(3, wait_or_set);
    CHECK(sennit_rt_pthread_cond_destroy(&cond) == 0);
}

/* As counted in tests/litmus/cond_broadcast.c. */
static void test_broadcast(void **state)
{
    (void)state;
    sandbox_expect(broadcast_body, 10);
}

static void *wait_once(void *argument)
{
    sennit_rt_pthread_mutex_lock(&mutex);
    ready++;
    CHECK(sennit_rt_pthread_cond_wait(&cond, &mutex) == 0);
    sennit_rt_pthread_mutex_unlock(&mutex);
    return argument;
}

/* Two wait; the signal picks either. Who waits first matters too. */
static void pick_body(void)
{
    pthread_t handle[2];
    init_condition();
    for (int i = 0; i < 2; i++)
        sennit_rt_pthread_create(&handle[i], NULL, wait_once, NULL);
    sennit_rt_pthread_mutex_lock(&mutex);
    if (ready == 2)
        sennit_rt_pthread_cond_signal(&cond);
    sennit_rt_pthread_mutex_unlock(&mutex);
}

static void test_signal_picks_any_waiter(void **state)
{
    (void)state;
    Result result = sandbox_explore(pick_body);
    /* main before both, between them, or after both: 2 orders each, and then 2 picks */
    assert_int_equal(result.executions, 2 + 2 + 2 * 2);
    assert_int_equal(result.redundant, 0);
}

static void not_held_body(void)
{
    init_condition();
    sennit_rt_pthread_cond_wait(&cond, &mutex);
}

static void not_held_errorcheck_body(void)
{
    pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    init_condition();
    CHECK(sennit_rt_pthread_cond_wait(&cond, &checking) == EPERM);
}

static void destroy_waited_body(void)
{
    pthread_t handle;
    init_condition();
    sennit_rt_pthread_create(&handle, NULL, wait_once, NULL);
    sennit_rt_pthread_mutex_lock(&mutex);
    if (ready)
        sennit_rt_pthread_cond_destroy(&cond);
    sennit_rt_pthread_mutex_unlock(&mutex);
}

static void *wait_other_mutex(void *argument)
{
    sennit_rt_pthread_mutex_lock(&other_mutex);
    sennit_rt_pthread_cond_wait(&cond, &other_mutex);
    return argument;
}

static void two_mutexes_body(void)
{
    pthread_t handle;
    init_condition();
    sennit_rt_pthread_create(&handle, NULL, wait_other_mutex, NULL);
    wait_once(NULL);
}

static void test_condition_misuse(void **state)
{
    (void)state;
    sandbox_expect_bug(not_held_body, 1, BUG_LOCK_MISUSE, 1);
    sandbox_expect(not_held_errorcheck_body, 1);
    Result result = sandbox_explore(destroy_waited_body);
    assert_int_equal(result.findings[BUG_LOCK_MISUSE], 1);
    result = sandbox_explore(two_mutexes_body);
    assert_int_equal(result.findings[BUG_LOCK_MISUSE], result.executions);
}

/* ---- Timed waits --------------------------------------------------------------------- */

static void timed_body(void)
{
    pthread_t handle;
    init_condition();
    sennit_rt_pthread_create(&handle, NULL, set_ready, NULL);
    sennit_rt_pthread_mutex_lock(&mutex);
    int error = 0;
    if (!ready)
        error = sennit_rt_pthread_cond_timedwait(&cond, &mutex, &deadline);
    CHECK(error == 0 ? ready : error == ETIMEDOUT);
    sennit_rt_pthread_mutex_unlock(&mutex);
    sennit_rt_pthread_join(handle, NULL);
}

/* Ready at once; timed out before it; woken; woken, but the time was over just before. */
static void test_a_timed_wait_may_time_out(void **state)
{
    (void)state;
    sandbox_expect(timed_body, 4);
}

static void lonely_timed_body(void)
{
    init_condition();
    sennit_rt_pthread_mutex_lock(&mutex);
    CHECK(sennit_rt_pthread_cond_timedwait(&cond, &mutex, &deadline) == ETIMEDOUT);
    CHECK(sennit_rt_pthread_cond_timedwait(&cond, &mutex, &no_time) == EINVAL);
    sennit_rt_pthread_mutex_unlock(&mutex);
    CHECK(sennit_rt_pthread_cond_destroy(&cond) == 0);
}

static void test_a_timed_wait_leaves_the_queue(void **state)
{
    (void)state;
    sandbox_expect(lonely_timed_body, 1);
}

/* ---- Semaphores ---------------------------------------------------------------------- */

static sem_t sem;

static void sem_answers_body(void)
{
    int value = -1;
    CHECK(sennit_rt_sem_init(&sem, 0, (unsigned)INT_MAX + 1u) == -1 && errno == EINVAL);
    CHECK(sennit_rt_sem_init(&sem, 0, 1) == 0);
    CHECK(sennit_rt_sem_wait(&sem) == 0);
    CHECK(sennit_rt_sem_trywait(&sem) == -1 && errno == EAGAIN);
    CHECK(sennit_rt_sem_timedwait(&sem, &deadline) == -1 && errno == ETIMEDOUT);
    CHECK(sennit_rt_sem_timedwait(&sem, &no_time) == -1 && errno == EINVAL);
    CHECK(sennit_rt_sem_post(&sem) == 0);
    CHECK(sennit_rt_sem_getvalue(&sem, &value) == 0 && value == 1);
    CHECK(sennit_rt_sem_destroy(&sem) == 0);
    CHECK(sennit_rt_sem_init(&sem, 0, INT_MAX) == 0);
    CHECK(sennit_rt_sem_post(&sem) == -1 && errno == EOVERFLOW);
}

static void *post(void *argument)
{
    sennit_rt_sem_post(&sem);
    return argument;
}

static void posts_body(void)
{
    sennit_rt_sem_init(&sem, 0, 0);
    sandbox_threads(4, post);
    for (int i = 0; i < 4; i++)
        sennit_rt_sem_wait(&sem);
}

static void *wait_for_post(void *argument)
{
    sennit_rt_sem_wait(&sem);
    return argument;
}

static void destroy_waited_sem_body(void)
{
    pthread_t handle;
    sennit_rt_sem_init(&sem, 0, 0);
    sennit_rt_pthread_create(&handle, NULL, wait_for_post, NULL);
    sennit_rt_sem_destroy(&sem);
}

static void test_semaphores(void **state)
{
    (void)state;
    sandbox_expect(sem_answers_body, 1);
    sandbox_expect(posts_body, 1);
    sandbox_expect_bug(destroy_waited_sem_body, 1, BUG_LOCK_MISUSE, 1);
}

static void *open_exclusively(void *argument)
{
    sem_t *mine = sennit_rt_sem_open("/one", O_CREAT | O_EXCL, 0600, 3u);
    if (mine == SEM_FAILED) {
        CHECK(errno == EEXIST);
        mine = sennit_rt_sem_open("/one", 0);
    }
    CHECK(sennit_rt_sem_wait(mine) == 0);
    CHECK(sennit_rt_sem_close(mine) == 0);
    return argument;
}

static void named_body(void)
{
    int value = 0;
    CHECK(sennit_rt_sem_open("/one", 0) == SEM_FAILED && errno == ENOENT);
    sandbox_threads(2, open_exclusively);
    sem_t *first = sennit_rt_sem_open("/one", O_CREAT, 0600, 9u);
    CHECK(sennit_rt_sem_getvalue(first, &value) == 0 && value == 1);
    CHECK(sennit_rt_sem_unlink("/one") == 0);
    CHECK(sennit_rt_sem_unlink("/one") == -1 && errno == ENOENT);
    sem_t *second = sennit_rt_sem_open("/one", O_CREAT, 0600, 9u);
    CHECK(second != first && sennit_rt_sem_getvalue(second, &value) == 0 && value == 9);
    CHECK(sennit_rt_sem_wait(first) == 0);
}

static void test_named_semaphores(void **state)
{
    (void)state;
    Result result = sandbox_explore(named_body);
    assert_int_equal(result.findings[BUG_ASSERTION], 0);
    assert_true(result.executions >= 2);
}

/* ---- Barriers ---------------------------------------------------------------------------- */

const char sennit_asks_serial = 1; /* as in a program that looks at the results */
static pthread_barrier_t barrier;
static int serials;

static void *meet_twice(void *argument)
{
    for (int round = 0; round < 2; round++) {
        int answer = sennit_rt_pthread_barrier_wait(&barrier);
        CHECK(answer == 0 || answer == PTHREAD_BARRIER_SERIAL_THREAD);
        serials += answer != 0;
    }
    return argument;
}

static void barrier_body(void)
{
    serials = 0;
    CHECK(sennit_rt_pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    CHECK(sennit_rt_pthread_barrier_init(&barrier, NULL, 3) == 0);
    sandbox_threads(3, meet_twice);
    CHECK(serials == 2);
    CHECK(sennit_rt_pthread_barrier_destroy(&barrier) == 0);
}

/* Further threads may use the barrier once they are ordered after the first. */
static void barrier_groups_body(void)
{
    serials = 0;
    sennit_rt_pthread_barrier_init(&barrier, NULL, 3);
    sandbox_threads(3, meet_twice);
    sandbox_threads(3, meet_twice);
    CHECK(serials == 4);
}

static void *meet_once(void *argument)
{
    sennit_rt_pthread_barrier_wait(&barrier);
    return argument;
}

/* Four threads share a barrier of two: who meets whom depends on the order of arrival. */
static void barrier_shared_body(void)
{
    sennit_rt_pthread_barrier_init(&barrier, NULL, 2);
    sandbox_threads(4, meet_once);
}

static void many_rounds_body(void)
{
    sennit_rt_pthread_barrier_init(&barrier, NULL, 1);
    for (int i = 0; i < 20; i++)
        CHECK(sennit_rt_pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    sennit_rt_pthread_barrier_init(&barrier, NULL, 3);
    sandbox_threads(3, meet_once);
}

static void test_barriers(void **state)
{
    (void)state;
    sandbox_expect(barrier_body, 3 * 3);
    sandbox_expect(barrier_groups_body, 3 * 3 * 3 * 3);
    sandbox_expect(barrier_shared_body, 24);
    sandbox_expect(many_rounds_body, 3);
}

static void destroy_waited_barrier_body(void)
{
    pthread_t handle;
    sennit_rt_pthread_barrier_init(&barrier, NULL, 3);
    sennit_rt_pthread_create(&handle, NULL, meet_once, NULL);
    sennit_rt_pthread_barrier_destroy(&barrier);
}

static void test_barrier_misuse(void **state)
{
    (void)state;
    /* the arrival comes first, or finds the barrier destroyed */
    sandbox_expect_bug(destroy_waited_barrier_body, 2, BUG_LOCK_MISUSE, 2);
}

/* ---- Once ------------------------------------------------------------------------------------ */

static pthread_once_t once;
static int runs;

static void initialise(void)
{
    runs++;
}

static void *call_twice(void *argument)
{
    for (int i = 0; i < 2; i++) {
        CHECK(sennit_rt_pthread_once(&once, initialise) == 0);
        CHECK(runs == 1);
    }
    return argument;
}

static void once_body(void)
{
    once = PTHREAD_ONCE_INIT;
    runs = 0;
    sandbox_threads(3, call_twice);
    once = PTHREAD_ONCE_INIT;
    sennit_rt_pthread_once(&once, initialise);
    CHECK(runs == 2);
}

static void leave_thread(void)
{
    runs++;
    if (runs == 1)
        sennit_rt_pthread_exit(NULL);
}

static void *call_and_leave(void *argument)
{
    sennit_rt_pthread_once(&once, leave_thread);
    return argument;
}

/* A routine that its thread did not finish runs again. */
static void once_left_body(void)
{
    once = PTHREAD_ONCE_INIT;
    runs = 0;
    sandbox_threads(2, call_and_leave);
    CHECK(runs == 2);
}

static void call_itself(void)
{
    sennit_rt_pthread_once(&once, call_itself);
}

static void once_recursive_body(void)
{
    once = PTHREAD_ONCE_INIT;
    sennit_rt_pthread_once(&once, call_itself);
}

static void test_once(void **state)
{
    (void)state;
    sandbox_expect(once_body, 3);
    sandbox_expect(once_left_body, 2);
    sandbox_expect_bug(once_recursive_body, 1, BUG_DEADLOCK, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broadcast),
        cmocka_unit_test(test_signal_picks_any_waiter),
        cmocka_unit_test(test_condition_misuse),
        cmocka_unit_test(test_a_timed_wait_may_time_out),
        cmocka_unit_test(test_a_timed_wait_leaves_the_queue),
        cmocka_unit_test(test_semaphores),
        cmocka_unit_test(test_named_semaphores),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_barrier_misuse),
        cmocka_unit_test(test_once),
    };
    return sandbox_main(tests, sizeof tests / sizeof *tests);
}
