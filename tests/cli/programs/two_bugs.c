/* an assertion that fails in some schedules, and a crash that ends the process in others */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *first(void *unused)
{
    atomic_store(&x, 1);
    assert(atomic_load(&y) == 0);
    return unused;
}

static void *second(void *unused)
{
    atomic_store(&y, 1);
    if (atomic_load(&x) == 1)
        *(volatile int *)NULL = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
