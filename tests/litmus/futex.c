/* futex.c - a wait at a word, and a thread that stores and wakes
 *
 * litmus: -> executions 2
 * litmus: -DLOST -> executions 2 bugs deadlock
 * litmus: -DTIMED -> executions 3
 * litmus: -DTHREE -> executions 4
 * litmus: -DSHARED -> executions 2 bugs deadlock
 * litmus: -DREQUEUE -> executions 5
 * litmus: -DOPERATION -> executions 2
 *
 * The wait reads the word before or after the store; before it, the thread is woken (or has timed out already). Without
 * a store, a wake-up that comes first is lost. Of two threads each waits or not. Waits that are private and wake-ups
 * that are not do not meet. Two threads wait or not, and one of two is woken, the other moved to a second word.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "litmus.h"

static atomic_uint word, other;

static long futex(atomic_uint *at, int operation, unsigned value, const void *timeout, atomic_uint *second,
                  unsigned third)
{
    long result = syscall(SYS_futex, at, operation, value, timeout, second, third);
    return result < 0 ? -errno : result;
}

static void *waiter(void *unused)
{
    static const struct timespec soon = {.tv_nsec = 1000};
    long result = futex(&word, FUTEX_WAIT_PRIVATE, 0,
#ifdef TIMED
                        &soon,
#else
                        (void *)((void)soon, NULL),
#endif
                        NULL, 0);
    assert(result == 0 || result == -EAGAIN || result == -ETIMEDOUT);
    return unused;
}

int main(void)
{
    start(waiter, 0);
#if defined THREE || defined REQUEUE
    start(waiter, 0);
#endif
#if defined OPERATION
    futex(&other, FUTEX_WAKE_OP_PRIVATE, 1, (void *)1, &word, FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0));
    assert(word == 1);
#elif defined REQUEUE
    word = 1;
    long count = futex(&word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void *)INT_MAX, &other, 1);
    assert(count >= 0 && count <= 2);
    futex(&other, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#elif defined SHARED
    word = 1;
    futex(&word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
#elif defined LOST
    futex(&word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#else
    word = 1;
    futex(&word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#endif
    join_all();
    return 0;
}
