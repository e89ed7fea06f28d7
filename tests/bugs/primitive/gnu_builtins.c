// bug: assertion
// fixed: exhaustive
// The __atomic builtins on ordinary variables; the flag is tested and set in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static bool busy;
static int winners;

static void *compete(void *arg)
{
#ifdef FIXED
    bool was = __atomic_test_and_set(&busy, __ATOMIC_ACQ_REL);
#else
    bool was = __atomic_load_n(&busy, __ATOMIC_ACQUIRE);
    __atomic_store_n(&busy, true, __ATOMIC_RELEASE);
#endif
    if (!was)
        __atomic_add_fetch(&winners, 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, compete, NULL);
    pthread_create(&b, NULL, compete, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(winners == 1); // BUG
    __atomic_clear(&busy, __ATOMIC_SEQ_CST);
    int expected = 3, desired = 4;
    assert(!__atomic_compare_exchange(&winners, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    assert(expected == 1 && __atomic_exchange_n(&winners, 6, __ATOMIC_ACQ_REL) == 1);
    assert(__atomic_fetch_nand(&winners, 3, __ATOMIC_SEQ_CST) == 6 && winners == -3);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return 0;
}
