/* weak_ring.c - a ring buffer with one producer and one consumer, who give up when it is full or empty
 *
 * litmus: --memory=rc11 -DN=3 -> executions 47
 */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 6
#endif

enum { SIZE = 2 };

static int slot[SIZE];
static atomic_uint head, tail;

static int put(int value)
{
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    if (at - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
        return 0;
    slot[at % SIZE] = value;
    atomic_store_explicit(&tail, at + 1, memory_order_release);
    return 1;
}

static int take(int *value)
{
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    if (atomic_load_explicit(&tail, memory_order_acquire) == at)
        return 0;
    *value = slot[at % SIZE];
    atomic_store_explicit(&head, at + 1, memory_order_release);
    return 1;
}

static void *producer(void *unused)
{
    for (int i = 0, next = 1; i < N; i++)
        next += put(next);
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 0, value, next = 1; i < N; i++)
        if (take(&value))
            assert(value == next++);
    return unused;
}

int main(void)
{
    start(producer, 0);
    start(consumer, 0);
    join_all();
    return 0;
}
