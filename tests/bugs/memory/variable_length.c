// bug: bounds
// fixed: exhaustive
// Arrays of variable length in a loop: each is as long as its round says, and one index is too large.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mark;

static void put(int *numbers, int at)
{
    numbers[at] = at; // BUG
}

static void *raise(void *arg)
{
    atomic_store(&mark, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, raise, NULL);
    int sum = 0;
    for (int n = 5; n > 0; n--) {
        int shared[n], own[n];
        for (int i = 0; i < n; i++)
            own[i] = i;
        for (int i = 0; i < n; i++)
            put(shared, own[i]);
#ifndef FIXED
        if (n == 2)
            put(shared, 1 + atomic_load(&mark)); // (BUG)
#endif
        sum += shared[n - 1];
    }
    pthread_join(t, NULL);
    return sum != 10;
}
