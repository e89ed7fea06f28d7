/* assumed_twice.c - inputs that satisfy two assumptions are found by starting the execution again, whatever the search
 *
 * litmus: -> executions 2
 * litmus: --reduction=source -> executions 2
 * litmus: --reduction=none -> executions 2
 * litmus: --preemptions=1 -> executions 2
 * litmus: --reduction=dcute -> executions 2 verdict bounded
 * litmus: -DTHREADS -> executions 4
 * litmus: -DTHREADS --reduction=none -> executions any
 * litmus: -DTHREADS --preemptions=1 -> executions any verdict bounded
 *
 * Two outcomes of the branch; with the threads, each for both orders of the stores.
 */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>

static atomic_int x;

static void *store(void *value)
{
    atomic_store(&x, *(int *)value);
    return NULL;
}

int main(void)
{
    int a = sennit_int("a");
    sennit_assume(a != 0);
    sennit_assume(a != 1);
#ifdef THREADS
    static int values[] = {1, 2};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, store, &values[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
#else
    (void)store;
#endif
    return a > 7 && x > 2;
}
