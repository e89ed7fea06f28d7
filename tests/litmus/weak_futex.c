/* weak_futex.c - futexes under weak memory
 *
 * litmus: --memory=sc -> executions 3
 * litmus: --memory=rc11 -> executions 4
 * litmus: --memory=tso -> executions 4
 * litmus: -DEARLY --memory=sc -> executions 6 bugs deadlock
 * litmus: -DEARLY --memory=rc11 -> executions 6 bugs deadlock
 * litmus: -DDATA --memory=rc11 -> executions 4 bugs data-race
 *
 * A thread waits until a word is not 0, another one changes it and wakes whoever waits; both accesses are relaxed. The
 * load finds the new value; or the wait finds it; or the thread sleeps and is woken. Under weak memory the wait is
 * ordered with the wake-up also if it finds the new value: a case more. A wait behind the wake-up never misses the store,
 * although it is relaxed: the kernel orders them. EARLY: the wake-up comes before the store, and may be lost. DATA: a
 * futex does not synchronise plain memory.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int data;

static void *waiter(void *argument)
{
    while (atomic_load_explicit(&word, memory_order_relaxed) == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
#ifdef DATA
    (void)*(volatile int *)&data;
#endif
    return argument;
}

static void *waker(void *argument)
{
    data = 1;
#ifdef EARLY
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    atomic_store_explicit(&word, 1, memory_order_relaxed);
#else
    atomic_store_explicit(&word, 1, memory_order_relaxed);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
