/* futex_lock.c - a lock and a condition variable made of futexes
 *
 * litmus: -> executions 1272
 * litmus: -DBROKEN -> executions 516 bugs deadlock
 * litmus: -DCONDITION -> executions 12
 *
 * As many as brute force finds classes among 5,949,592, 155,637 and 704 interleavings.
 * The lock holds 0 free, 1 locked, 2 locked and perhaps waited for. BROKEN wakes only if the word was 1.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "litmus.h"

static atomic_uint lock_word, sequence;
static int counter, ready;

static void futex(atomic_uint *word, int operation, unsigned value)
{
    syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

static void take(void)
{
    unsigned found = 0;
    if (atomic_compare_exchange_strong(&lock_word, &found, 1))
        return;
    while (atomic_exchange(&lock_word, 2) != 0)
        futex(&lock_word, FUTEX_WAIT_PRIVATE, 2);
}

static void give(void)
{
#ifdef BROKEN
    if (atomic_exchange(&lock_word, 0) == 1)
#else
    if (atomic_exchange(&lock_word, 0) == 2)
#endif
        futex(&lock_word, FUTEX_WAKE_PRIVATE, 1);
}

static void *adder(void *unused)
{
    take();
    counter++;
    give();
    return unused;
}

static void *announcer(void *unused)
{
    take();
    ready = 1;
    give();
    atomic_fetch_add(&sequence, 1);
    futex(&sequence, FUTEX_WAKE_PRIVATE, INT_MAX);
    return unused;
}

int main(void)
{
#ifdef CONDITION
    start(announcer, 0);
    take();
    while (!ready) {
        unsigned seen = sequence;
        give();
        futex(&sequence, FUTEX_WAIT_PRIVATE, seen);
        take();
    }
    give();
    join_all();
#else
    start(announcer, 0);
    start(adder, 0);
    adder(NULL);
    join_all();
    assert(counter == 2 && ready);
#endif
    return 0;
}
