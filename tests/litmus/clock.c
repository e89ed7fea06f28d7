/* clock.c - what happens after another step never shows an earlier time, whatever orders the two
 *
 * litmus: -DATOMIC -> executions 1
 * litmus: -DRELAXED -> executions 2
 * litmus: -DEXCHANGE -> executions 2
 * litmus: -DMUTEX -> executions 2
 * litmus: -DREADERS -> executions 1
 * litmus: -DCOUNT -> executions 1
 * litmus: -DPIPE -> executions 1
 * litmus: -DJOIN -> executions 1
 *
 * READERS: two readers of a lock are not ordered, so neither sees the other's sleep.
 * COUNT: nor are two threads that add to a number.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag, count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_long then;
static int ends[2];

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void *run(void *argument)
{
    sleep(1);
    long time = now();
#ifdef ATOMIC
    atomic_store_explicit(&then, time, memory_order_relaxed);
    flag = 1;
#elif defined RELAXED
    atomic_store_explicit(&then, time, memory_order_relaxed);
#elif defined EXCHANGE
    atomic_exchange(&then, time);
#elif defined MUTEX
    pthread_mutex_lock(&mutex);
    then = time;
    pthread_mutex_unlock(&mutex);
#elif defined READERS
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
#elif defined COUNT
    count++;
#elif defined PIPE
    write(ends[1], &time, sizeof time);
#endif
    (void)time;
    return argument;
}

int main(void)
{
    pthread_t thread;
    long time = 0, before = now();
    pipe(ends);
    pthread_create(&thread, NULL, run, NULL);
#ifdef ATOMIC
    while (!flag)
        continue;
    time = atomic_load_explicit(&then, memory_order_relaxed);
#elif defined RELAXED
    time = atomic_load_explicit(&then, memory_order_relaxed);
#elif defined EXCHANGE
    time = atomic_exchange(&then, 0);
#elif defined MUTEX
    pthread_mutex_lock(&mutex);
    time = then;
    pthread_mutex_unlock(&mutex);
#elif defined READERS
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    assert(now() < before + 1000000000);
#elif defined COUNT
    count++;
    assert(now() < before + 1000000000);
#elif defined PIPE
    read(ends[0], &time, sizeof time);
#elif defined JOIN
    pthread_join(thread, NULL);
    assert(now() > before + 1000000000);
    return 0;
#endif
    assert(now() >= time && (time == 0 || time > before + 1000000000));
    pthread_join(thread, NULL);
    return 0;
}
