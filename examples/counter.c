/* counter.c - a hit counter that two threads increment without a lock
 *
 * Found as a data race. With --plain=visible the lost update itself is shown.
 *
 * litmus: -> executions 1 bugs data-race
 * litmus: --plain=visible -> executions 4 bugs assertion
 * litmus: -DFIXED -> executions 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifdef FIXED
static atomic_int hits;
#else
static int hits;
#endif

static void *visitor(void *unused)
{
    hits++;
    return unused;
}

int main(void)
{
    pthread_t visitors[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&visitors[i], NULL, visitor, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(visitors[i], NULL);
    printf("%d hits\n", hits);
    assert(hits == 2);
    return 0;
}
