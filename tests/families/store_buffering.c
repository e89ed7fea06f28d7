/* store_buffering.c - store buffering: both threads may read the old value under TSO and RC11 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int r1, r2;
static void *a(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}
static void *b(void *p)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(t, 0, a, 0);
    pthread_create(t + 1, 0, b, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(r1 || r2);
    return 0;
}
