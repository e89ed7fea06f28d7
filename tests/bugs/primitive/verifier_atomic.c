// bug: assertion
// fixed: exhaustive
// The section makes two accesses one step; without it the other thread comes between.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int counter;

static int get(void)
{
    __VERIFIER_atomic_begin();
    int value = counter;
    __VERIFIER_atomic_end();
    return value;
}

#ifndef FIXED
static void put(int value)
{
    __VERIFIER_atomic_begin();
    counter = value;
    __VERIFIER_atomic_end();
}
#endif

static void *increment(void *arg)
{
#ifdef FIXED
    __VERIFIER_atomic_begin();
    counter = counter + 1;
    __VERIFIER_atomic_end();
#else
    put(get() + 1);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(get() == 2); // BUG
    return 0;
}
