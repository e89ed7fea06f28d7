/* crash_partial.c - what a section does after a step of another thread is found out by a partial run, which crashes
 *
 * litmus: -> executions 3 verdict bounded bugs crash exit 1
 * litmus: -j 4 -> executions 3 verdict bounded bugs crash exit 1
 *
 * The section comes first, last, or where x is 1: then it crashes before it touches y.
 */
#include "litmus.h"

static atomic_int x, y;

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static void *section(void *argument)
{
    __VERIFIER_atomic_begin();
    int seen = x;
    if (seen == 1)
        *(volatile int *)0 = 1;
    y = 1;
    __VERIFIER_atomic_end();
    return argument;
}

static void *other(void *argument)
{
    atomic_store(&x, 1);
    atomic_store(&y, 2);
    atomic_store(&x, 3);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, section, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
