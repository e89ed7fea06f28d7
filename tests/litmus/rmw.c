/* rmw.c - read-modify-writes of one variable: ordered if a result is used, free if not
 *
 * litmus: -DN=4 -> executions 24
 * litmus: -DN=4 -DUNUSED -> executions 1
 * litmus: -DN=4 -DUNUSED -DREADER -> executions 16
 * litmus: -DN=3 -DREADER -> executions 24
 * litmus: -DN=3 -DEXCHANGE -> executions 6
 *
 * With the result used: N!. Unused additions commute: 1; a reader comes before or after
 * each of them: 2^N. With used results and a reader: (N + 1)!. An exchange never commutes.
 */
#include "litmus.h"

static atomic_int x;
static int results[N];

static void *update(void *argument)
{
    int i = number_of(argument);
#if defined UNUSED
    if (i % 2)
        atomic_fetch_add(&x, i);
    else
        atomic_fetch_sub(&x, i);
    (void)results;
#elif defined EXCHANGE
    results[i] = atomic_exchange(&x, i);
#else
    results[i] = atomic_fetch_add(&x, 1);
#endif
    return NULL;
}

static void *reader(void *unused)
{
    (void)atomic_load(&x);
    return unused;
}

int main(void)
{
    start_all(N, update);
#ifdef READER
    start(reader, 0);
#else
    (void)reader;
#endif
    join_all();
    return 0;
}
