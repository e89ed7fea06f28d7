// bug: assertion
// fixed: exhaustive
// The second thread sees the flag taken and goes on before the first one has finished.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state, table;

static void *user(void *arg)
{
    int fresh = 0;
    if (atomic_compare_exchange_strong(&state, &fresh, 1)) {
        atomic_store(&table, 7);
        atomic_store(&state, 2);
    }
#ifdef FIXED
    while (atomic_load(&state) != 2)
        ;
#endif
    assert(atomic_load(&table) == 7); // BUG
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
