/* sb.c - store buffering: each thread stores one variable and loads the other
 *
 * litmus: -> executions 3
 * litmus: --reduction=source -> executions 3 redundant any
 * litmus: -DFENCE -> executions 3
 * litmus: -DORDER=memory_order_relaxed --memory=sc -> executions 3
 * litmus: -DORDER=memory_order_relaxed -> executions 4 bugs assertion
 *
 * Each load comes before or after the other thread's store: 2 * 2, less the case that
 * both come before, which is a circle with program order. Fences are no steps. With relaxed
 * accesses as C11 has them, that case is the fourth, and fails the assertion.
 */
#include "litmus.h"

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif
#ifdef FENCE
#define SEPARATE() atomic_thread_fence(memory_order_seq_cst)
#else
#define SEPARATE() (void)0
#endif

static atomic_int x, y;
static int seen_x, seen_y;

static void *left(void *unused)
{
    atomic_store_explicit(&x, 1, ORDER);
    SEPARATE();
    seen_y = atomic_load_explicit(&y, ORDER);
    return unused;
}

static void *right(void *unused)
{
    atomic_store_explicit(&y, 1, ORDER);
    SEPARATE();
    seen_x = atomic_load_explicit(&x, ORDER);
    return unused;
}

int main(void)
{
    start(left, 0);
    start(right, 0);
    join_all();
    assert(seen_x || seen_y);
    return 0;
}
