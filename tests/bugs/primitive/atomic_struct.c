// bug: assertion
// fixed: exhaustive
// A struct of sixteen bytes is read whole and written whole, and the other thread comes between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#pragma clang diagnostic ignored "-Watomic-alignment"

typedef struct {
    int x, y, z, w;
} Point;

static _Atomic Point position;

static void *move(void *arg)
{
    Point old = atomic_load(&position);
    Point new = {old.x + 1, old.y + 1, old.z + 1, old.w + 1};
#ifdef FIXED
    while (!atomic_compare_exchange_strong(&position, &old, new))
        new = (Point){old.x + 1, old.y + 1, old.z + 1, old.w + 1};
#else
    atomic_store(&position, new);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, move, NULL);
    pthread_create(&b, NULL, move, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    Point last = atomic_load(&position);
    assert(last.x == 2 && last.y == 2 && last.z == 2 && last.w == 2); // BUG
    return 0;
}
