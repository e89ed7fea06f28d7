/* weak_cas.c - weak compare-and-exchanges, which may fail for no reason
 *
 * litmus: -DONE -> executions 2
 * litmus: -DONE --weak-cas=on -> executions 4
 * litmus: -DONE --weak-cas=on --memory=rc11 -> executions 3
 * litmus: -DONE --weak-cas=on --memory=tso -> executions 3
 * litmus: -DTWO -> executions 2
 * litmus: -DTWO --weak-cas=on -> executions 6
 * litmus: -DTWO --weak-cas=on --memory=rc11 -> executions 5
 * litmus: -DTWO -O2 --weak-cas=on --memory=rc11 -> executions 5
 * litmus: -DTWICE -> executions 1
 * litmus: -DTWICE --weak-cas=on -> executions 3 bugs assertion
 * litmus: -DTWICE --weak-cas=on --memory=rc11 -> executions 3 bugs assertion
 * litmus: -DAWAIT --weak-cas=on -> executions 4
 * litmus: -DAWAIT --weak-cas=on --memory=rc11 -> executions 4 redundant 1
 *
 * ONE: an exchange, and a load. It writes (the load comes before or after), or fails and only reads: three graphs. Under
 * SC a failure counts as a write (so 4, and 6 instead of 5), since whether a step writes must not depend on a choice. TWO: two of them
 * from the same value. One writes, and the other finds that, or has failed before for no reason (two each); or both fail.
 * TWICE: a thread tries twice and relies on one success: each may fail. AWAIT: a loop that tries until it has exchanged
 * only waits; a failure is one more iteration. So two threads with such a loop have two orders; an exchange
 * behind them writes or fails.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int x;

static bool exchange(int from, int to)
{
    return atomic_compare_exchange_weak(&x, &from, to);
}

static void *first(void *argument)
{
#if defined TWICE
    assert(exchange(0, 1) || exchange(0, 1));
#elif defined AWAIT
    int zero;
    do
        zero = 0;
    while (!atomic_compare_exchange_weak(&x, &zero, 1));
    atomic_store(&x, 0);
#else
    exchange(0, 1);
#endif
    return argument;
}

static void *second(void *argument)
{
#if defined ONE
    (void)atomic_load(&x);
#elif defined TWO
    exchange(0, 2);
#elif defined AWAIT
    first(argument);
#endif
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef AWAIT
    exchange(0, 2);
#endif
    return 0;
}
