/* weak_rcu.c - readers announce what they read; the writer replaces it and looks whether someone still reads the old
 *
 * litmus: --memory=rc11 -DN=1 -> executions 5
 */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 2
#endif

static int object[2] = {1, 1};
static atomic_int current, reading[N];

static void *reader(void *argument)
{
    int me = number_of(argument);
    atomic_store_explicit(&reading[me], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    assert(object[atomic_load_explicit(&current, memory_order_acquire)] == 1);
    atomic_store_explicit(&reading[me], 0, memory_order_release);
    return NULL;
}

static void *writer(void *unused)
{
    int busy = 0;
    object[1] = 1;
    atomic_store_explicit(&current, 1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < N; i++)
        busy |= atomic_load_explicit(&reading[i], memory_order_acquire);
    if (!busy)
        object[0] = 2;
    return unused;
}

int main(void)
{
    start_all(N, reader);
    start(writer, 0);
    join_all();
    return 0;
}
