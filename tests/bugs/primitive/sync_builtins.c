// bug: data-race
// fixed: exhaustive
// options: --memory=sc
// The old __sync builtins as a lock; without the lock_release order nothing is handed over.
#include <pthread.h>

static int taken, hits, visits;

static void *enter(void *arg)
{
    while (__sync_lock_test_and_set(&taken, 1))
        ;
    hits++; // BUG
#ifdef FIXED
    __sync_lock_release(&taken);
#else
    __atomic_store_n(&taken, 0, __ATOMIC_RELAXED);
#endif
    __sync_fetch_and_add(&visits, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    __sync_synchronize();
    if (!__sync_bool_compare_and_swap(&visits, 2, 7) || __sync_val_compare_and_swap(&visits, 7, 8) != 7)
        return 1;
    if (__sync_add_and_fetch(&visits, 1) != 9 || __sync_sub_and_fetch(&visits, 4) != 5)
        return 2;
    if (__sync_fetch_and_or(&visits, 2) != 5 || __sync_and_and_fetch(&visits, 6) != 6)
        return 3;
    return __sync_xor_and_fetch(&visits, 6) + hits - 2;
}
