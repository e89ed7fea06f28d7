/* cas.c - a compare-and-swap writes if it succeeds and reads if it fails
 *
 * litmus: -DN=2 -> executions 2
 * litmus: -DN=4 -> executions 4
 * litmus: -DN=4 -DWEAK -> executions 4
 * litmus: -DN=4 --reduction=source -> executions 4 redundant any
 *
 * N threads try to replace 0 by 1. Who comes first succeeds; the others fail, and reads
 * commute: N.
 */
#include "litmus.h"

static atomic_int x;
static atomic_int winners;

static void *body(void *unused)
{
    int expected = 0;
#ifdef WEAK
    if (atomic_compare_exchange_weak(&x, &expected, 1))
#else
    if (atomic_compare_exchange_strong(&x, &expected, 1))
#endif
        atomic_fetch_add(&winners, 1);
    return unused;
}

int main(void)
{
    start_all(N, body);
    join_all();
    assert(atomic_load(&winners) == 1);
    return 0;
}
