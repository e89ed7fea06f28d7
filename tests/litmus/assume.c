/* assume.c - an assumption that fails stops its thread; the assertion behind it is safe
 *
 * litmus: -> executions 2
 *
 * The load before or after the store; only one of the two reaches the assertion.
 */
#include "litmus.h"

extern void __VERIFIER_assume(int);

static atomic_int x;

static void *writer(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

int main(void)
{
    start(writer, 0);
    int seen = atomic_load(&x);
    __VERIFIER_assume(seen == 1);
    assert(seen == 1);
    return 0;
}
