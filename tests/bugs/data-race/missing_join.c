// bug: data-race
// fixed: exhaustive
// Main reads the results of two threads of which it joined only one.
#include <pthread.h>

static int result[2];

static void *compute(void *arg)
{
    *(int *)arg = 42; // BUG
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, compute, &result[0]);
    pthread_create(&b, NULL, compute, &result[1]);
    pthread_join(a, NULL);
#ifdef FIXED
    pthread_join(b, NULL);
#endif
    int sum = result[0] + result[1]; // BUG
#ifndef FIXED
    pthread_join(b, NULL);
#endif
    return sum < 42;
}
