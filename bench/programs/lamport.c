/* lamport.c - Lamport's fast mutual exclusion, one entry per thread
 *
 * litmus: -DN=2 -> executions 16
 * litmus: -DN=3 -> executions 9216
 *
 * All its waits are spin loops on one variable, so they are blocking waits here.
 */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 2
#endif

static atomic_int x, y, b[N + 1];
static int counter;

static void *body(void *argument)
{
    int i = number_of(argument);
    for (;;) {
        atomic_store(&b[i], 1);
        atomic_store(&x, i);
        if (atomic_load(&y) != 0) {
            atomic_store(&b[i], 0);
            while (atomic_load(&y) != 0)
                ;
            continue;
        }
        atomic_store(&y, i);
        if (atomic_load(&x) == i)
            break;
        atomic_store(&b[i], 0);
        for (int j = 1; j <= N; j++) {
            while (atomic_load(&b[j]) != 0)
                ;
        }
        if (atomic_load(&y) == i)
            break;
        while (atomic_load(&y) != 0)
            ;
    }
    counter++;
    atomic_store(&y, 0);
    atomic_store(&b[i], 0);
    return NULL;
}

int main(void)
{
    for (int i = 1; i <= N; i++)
        start(body, i);
    join_all();
    assert(counter == N);
    return 0;
}
