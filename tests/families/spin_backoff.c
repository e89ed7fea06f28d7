/* spin_backoff.c - a spin lock with exponential back-off */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static _Atomic uint32_t state;
static int shared;
static void lock(void)
{
    unsigned bcount = 4;
    uint32_t s;
again:
    s = atomic_load_explicit(&state, memory_order_relaxed);
    if (s & 1) {
        for (int i = bcount; i != 0; i--) {
            ;
            ;
        }
        if (bcount < 128)
            bcount += bcount;
        goto again;
    }
    if (!atomic_compare_exchange_weak(&state, &s, s | 1))
        goto again;
}
static void unlock(void)
{
    atomic_fetch_and(&state, ~1u);
}
static void *th(void *a)
{
    lock();
    shared++;
    unlock();
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, th, 0);
    pthread_create(&b, 0, th, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return shared != 2;
}
