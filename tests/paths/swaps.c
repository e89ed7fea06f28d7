/* swaps.c - compare-and-swap where values that depend on inputs are found in some orders only
 *
 * litmus: -DSTORE -> executions 8
 * litmus: -DMASKED -> executions 5
 * litmus: -DNEIGHBOUR -> executions 3
 * litmus: -DSECTION -> executions 3
 * litmus: -DELSEWHERE -> executions 2
 *
 * What a step would do after other steps is told by values, unless one of them depends on inputs.
 */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static _Alignas(8) atomic_int x[2];
static int n, found;

static void *first(void *argument)
{
#if defined STORE /* n is found, or what was there before */
    atomic_store(&x[0], n);
#elif defined MASKED /* whatever n is, it is not there once all bits were cleared */
    atomic_fetch_and(&x[0], n);
#elif defined NEIGHBOUR
    atomic_store(&x[1], n);
#elif defined SECTION
    atomic_store(&x[0], n);
#elif defined ELSEWHERE
    atomic_store(&x[0], 3);
#endif
    return argument;
}

static void *second(void *argument)
{
#if defined STORE
    atomic_store(&x[0], 4);
#elif defined MASKED
    atomic_fetch_and(&x[0], 0);
#endif
    return argument;
}

static void *swap(void *argument)
{
    int expected = 3;
#ifdef SECTION
    __VERIFIER_atomic_begin();
    if (x[0] == 3)
        x[0] = 1;
    __VERIFIER_atomic_end();
#else
    found = atomic_compare_exchange_strong(&x[0], &expected, 1);
#endif
#ifdef NEIGHBOUR
    expected = 3;
    atomic_compare_exchange_strong(&x[1], &expected, 1);
#endif
    return argument;
}

int main(void)
{
    void *(*const bodies[])(void *) = {second, first, swap};
    pthread_t threads[3];
    n = sennit_int("n");
    atomic_init(&x[0], 7);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
