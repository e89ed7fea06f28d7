/* weak_seqlock.c - a sequence lock: one writer, readers who try once each round
 *
 * litmus: --memory=rc11 -DN=1 -> executions 196
 */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 2
#endif

static atomic_uint sequence;
static atomic_int first, second;

static void *writer(void *unused)
{
    for (int i = 1; i <= N; i++) {
        unsigned now = atomic_load_explicit(&sequence, memory_order_relaxed);
        atomic_store_explicit(&sequence, now + 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&first, i, memory_order_relaxed);
        atomic_store_explicit(&second, i, memory_order_relaxed);
        atomic_store_explicit(&sequence, now + 2, memory_order_release);
    }
    return unused;
}

static void *reader(void *unused)
{
    for (int i = 0; i < N; i++) {
        unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
        int a = atomic_load_explicit(&first, memory_order_relaxed);
        int b = atomic_load_explicit(&second, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        if (before % 2 == 0 && atomic_load_explicit(&sequence, memory_order_relaxed) == before)
            assert(a == b);
    }
    return unused;
}

int main(void)
{
    start(writer, 0);
    start_all(2, reader);
    join_all();
    return 0;
}
