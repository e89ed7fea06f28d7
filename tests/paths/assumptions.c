/* assumptions.c - what others do with inputs that a thread will not accept comes before it says so
 *
 * litmus: -DLATER -> executions 3 bugs assertion
 * litmus: -DLATER -DCHECKED -> executions 4 bugs assertion
 * litmus: -DBEFORE -> executions 1
 * litmus: -DOWN -> executions 1
 *
 * BEFORE: main assumes before there are threads. OWN: of an input that nobody else knows.
 */
#include <pthread.h>
#include <sennit/sennit.h>

static int shared;

static void *assume(void *argument)
{
#if defined LATER
    sennit_assume(shared != 0);
#elif defined OWN
    int own = sennit_int("own");
    sennit_assume(own == 5);
    sennit_assert(own == 5);
#endif
    return argument;
}

static void *use(void *argument)
{
    int own = sennit_int("own");
#ifdef CHECKED
    if (own == 2)
        sennit_assert(shared != 0);
#else
    if (shared == 0 && own == 2)
        sennit_assert(0);
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    shared = sennit_int("shared");
#ifdef BEFORE
    sennit_assume(shared == 1);
#elif defined OWN
    sennit_assume(shared == 0);
    shared = 1;
#endif
    pthread_create(&threads[0], NULL, assume, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
