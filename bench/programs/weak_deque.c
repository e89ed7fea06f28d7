/* weak_deque.c - a work-stealing deque (Chase and Lev; orders of Le et al., PPoPP 2013): an owner, and thieves
 *
 * litmus: --memory=rc11 -DN=1 -DTHIEVES=1 -> executions 8
 */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 2
#define THIEVES 1
#endif

enum { SIZE = 4 };

static atomic_int top, bottom, item[SIZE], taken[N + 1];

static void use(int value)
{
    if (value)
        assert(atomic_fetch_add_explicit(&taken[value], 1, memory_order_relaxed) == 0);
}

static void push(int value)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&item[b % SIZE], value, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int pop(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1, value = 0;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t <= b)
        value = atomic_load_explicit(&item[b % SIZE], memory_order_relaxed);
    if (t == b && !atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        value = 0;
    if (t >= b)
        atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return value;
}

static int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return 0;
    int value = atomic_load_explicit(&item[t % SIZE], memory_order_relaxed);
    return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed) ? value
                                                                                                                : 0;
}

static void *owner(void *unused)
{
    for (int i = 1; i <= N; i++)
        push(i);
    for (int i = 1; i <= N; i++)
        use(pop());
    return unused;
}

static void *thief(void *unused)
{
    use(steal());
    return unused;
}

int main(void)
{
    start(owner, 0);
    start_all(THIEVES, thief);
    join_all();
    return 0;
}
