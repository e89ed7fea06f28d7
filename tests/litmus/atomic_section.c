/* atomic_section.c - sections and functions that are atomic as a whole
 *
 * litmus: -DN=2 -> executions 2
 * litmus: -DN=3 -> executions 6
 * litmus: -DN=2 -DFUNCTION -> executions 2
 *
 * Read and write inside one section cannot be torn apart: N!, and no update is lost.
 */
#include "litmus.h"

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void __VERIFIER_atomic_increment(void)
{
    x = x + 1;
}

static void *body(void *unused)
{
#ifdef FUNCTION
    __VERIFIER_atomic_increment();
#else
    __VERIFIER_atomic_begin();
    x = x + 1;
    __VERIFIER_atomic_end();
#endif
    return unused;
}

int main(void)
{
    (void)__VERIFIER_atomic_increment;
    start_all(N, body);
    join_all();
    assert(x == N);
    return 0;
}
