// bug: assertion
// fixed: exhaustive
// Rounding mode and floating-point values belong to a thread and survive every switch.
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int switches;

static void *upward(void *arg)
{
    volatile double one = 1.0, three = 3.0;
    fesetround(FE_UPWARD);
    double up = one / three;
    atomic_fetch_add(&switches, 1);
    assert(fegetround() == FE_UPWARD);
    assert(one / three == up && up * 3.0 > 1.0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    volatile double one = 1.0, three = 3.0;
    pthread_create(&t, NULL, upward, NULL);
    double near = one / three;
    int seen = atomic_load(&switches);
    assert(fegetround() == FE_TONEAREST);
    assert(one / three == near);
#ifndef FIXED
    assert(seen == 0); // BUG
#endif
    pthread_join(t, NULL);
    return seen > 1;
}
