/* limiter.c - at most LIMIT clients at a time, by an atomic counter
 *
 * Two clients may both see a free place before either takes it. -DFIXED takes it with a compare-and-swap.
 *
 * litmus: -> executions 9 bugs assertion
 * litmus: -DFIXED -> executions 6 redundant 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { LIMIT = 1 };
static atomic_int used;

static bool acquire(void)
{
#ifdef FIXED
    int now = atomic_load(&used);
    while (now < LIMIT)
        if (atomic_compare_exchange_strong(&used, &now, now + 1))
            return true;
    return false;
#else
    if (atomic_load(&used) >= LIMIT)
        return false;
    atomic_fetch_add(&used, 1);
    return true;
#endif
}

static void *client(void *unused)
{
    if (acquire()) {
        assert(atomic_load(&used) <= LIMIT);
        atomic_fetch_sub(&used, 1);
    }
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, client, NULL);
    pthread_create(&second, NULL, client, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&used) == 0);
}
