// bug: assertion
// fixed: exhaustive
// executions: 1
// Atomics in neighbouring bytes have nothing to do with each other; the index that is off by one does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned char cells[2];

static void *count(void *arg)
{
    for (int i = 0; i < 2; i++) {
        int mine = *(int *)arg;
#ifndef FIXED
        mine = mine == 0 ? i : mine;
#endif
        int old = atomic_load(&cells[mine]);
        atomic_store(&cells[mine], old + 1);
    }
    return NULL;
}

int main(void)
{
    static int number[2] = {0, 1};
    pthread_t a, b;
    pthread_create(&a, NULL, count, &number[0]);
    pthread_create(&b, NULL, count, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(cells[0] + cells[1] == 4); // BUG
    return 0;
}
