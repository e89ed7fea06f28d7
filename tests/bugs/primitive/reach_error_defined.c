// bug: assertion
// fixed: exhaustive
// The program brings its own reach_error, as competition programs do.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void reach_error(void) { assert(0); } // (BUG)

static void __VERIFIER_assert(int condition)
{
    if (!condition) {
        reach_error(); // (BUG)
    }
}

static atomic_int x, y;

static void *first(void *arg)
{
    atomic_store(&x, 1);
    return NULL;
}

static void *second(void *arg)
{
#ifdef FIXED
    if (atomic_load(&x))
#endif
        atomic_store(&y, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    int saw_y = atomic_load(&y);
    __VERIFIER_assert(!saw_y || atomic_load(&x)); // (BUG)
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
