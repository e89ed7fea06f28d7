/* spinlock.c - locks made of a spin loop around an atomic operation
 *
 * litmus: -DN=2 -DKIND=1 -> executions 2
 * litmus: -DN=3 -DKIND=1 -> executions 6
 * litmus: -DN=3 -DKIND=2 -> executions 6
 * litmus: -DN=3 -DKIND=3 -> executions 6
 * litmus: -DN=3 -DKIND=4 -> executions 6
 * litmus: -DN=3 -DKIND=5 --memory=sc -> executions 6
 *
 * 1: exchange, 2: compare-and-swap, 3: atomic_flag, 4: pthread_spin_lock, 5: __sync
 * builtins. Each waits until it can succeed, so the order of the owners decides: N!.
 */
#include "litmus.h"

static int counter;

#if KIND == 1
static atomic_int lock;
static void acquire(void)
{
    while (atomic_exchange(&lock, 1))
        ;
}
static void release(void)
{
    atomic_store(&lock, 0);
}
#elif KIND == 2
static atomic_int lock;
static void acquire(void)
{
    int expected = 0;
    while (!atomic_compare_exchange_weak(&lock, &expected, 1))
        expected = 0;
}
static void release(void)
{
    atomic_store(&lock, 0);
}
#elif KIND == 3
static atomic_flag lock = ATOMIC_FLAG_INIT;
static void acquire(void)
{
    while (atomic_flag_test_and_set(&lock))
        ;
}
static void release(void)
{
    atomic_flag_clear(&lock);
}
#elif KIND == 4
static pthread_spinlock_t lock;
static void acquire(void)
{
    pthread_spin_lock(&lock);
}
static void release(void)
{
    pthread_spin_unlock(&lock);
}
#else
static int lock;
static void acquire(void)
{
    while (__sync_lock_test_and_set(&lock, 1))
        ;
}
static void release(void)
{
    __sync_lock_release(&lock);
}
#endif

static void *body(void *unused)
{
    acquire();
    counter++;
    release();
    return unused;
}

int main(void)
{
#if KIND == 4
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
    start_all(N, body);
    join_all();
    assert(counter == N);
    return 0;
}
