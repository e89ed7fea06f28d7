/* retry_order.c - an exchange that fails tells the value for the next try, but orders less than the load before it
 *
 * The reader gets 1 from the exchange that failed, which does not order the data before it; had the load found it, the
 * data would be ordered. So the two are not the same, and the reader may not stop behind the first failure. With
 * -DAGAIN the exchange that fails orders as much.
 *
 * litmus: -> executions 3 bugs data-race
 * litmus: --memory=sc -> executions 3 bugs data-race
 * litmus: -DAGAIN -> executions 2 redundant 1
 * litmus: --memory=sc -DAGAIN -> executions 2 redundant 1
 */
#include "litmus.h"

#ifdef AGAIN
#define FAILURE memory_order_acquire
#else
#define FAILURE memory_order_relaxed
#endif

static int data;
static atomic_int x;

static void *write_data(void *unused)
{
    data = 1;
    atomic_store_explicit(&x, 1, memory_order_release);
    return unused;
}

static void *read_data(void *unused)
{
    int v = atomic_load_explicit(&x, memory_order_acquire);
    while (!atomic_compare_exchange_strong_explicit(&x, &v, v + 2, memory_order_relaxed, FAILURE)) {
    }
    if (v == 1)
        assert(data == 1);
    return unused;
}

int main(void)
{
    start(write_data, 0);
    start(read_data, 1);
    join_all();
    return 0;
}
