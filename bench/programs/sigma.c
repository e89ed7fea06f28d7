/* sigma.c - threads use an index that main goes on counting up
 *
 * litmus: -DN=3 -> executions 15
 * litmus: -DN=6 -> executions 10395
 * litmus long: -DN=7 -> executions 135135
 *
 * Main increments the index and creates a thread, N times. A thread that reads late
 * writes to a cell meant for another: 1 * 3 * 5 * ... * (2N - 1) classes.
 */
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 6
#endif

static atomic_int index_ = -1;
static atomic_int array[N];

static void *body(void *unused)
{
    int i = atomic_load(&index_);
    atomic_store(&array[i], 1);
    return unused;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        int old = atomic_load(&index_);
        atomic_store(&index_, old + 1);
        start(body, i);
    }
    join_all();
    return 0;
}
