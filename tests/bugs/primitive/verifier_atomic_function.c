// bug: assertion
// fixed: exhaustive
// A function named __VERIFIER_atomic_* is one step; two of them in a row are two.
#include <assert.h>
#include <pthread.h>

static int balance = 10;

int __VERIFIER_atomic_enough(int amount)
{
    return balance >= amount;
}

void __VERIFIER_atomic_take(int amount)
{
    balance -= amount;
}

void __VERIFIER_atomic_take_if_enough(int amount)
{
    if (balance >= amount)
        balance -= amount;
}

static void *spend(void *arg)
{
#ifdef FIXED
    __VERIFIER_atomic_take_if_enough(6);
#else
    if (__VERIFIER_atomic_enough(6))
        __VERIFIER_atomic_take(6);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, spend, NULL);
    pthread_create(&b, NULL, spend, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance >= 0); // BUG
    return 0;
}
