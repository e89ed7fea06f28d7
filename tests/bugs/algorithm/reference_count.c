// bug: leak
// fixed: exhaustive
// options: --check=leak
// Both threads must read the count before either one stores it: then nobody drops the last reference.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    atomic_int count;
} Object;

static void drop(Object *object)
{
#ifdef FIXED
    if (atomic_fetch_sub(&object->count, 1) == 1)
        free(object);
#else
    int count = atomic_load(&object->count);
    atomic_store(&object->count, count - 1);
    if (count == 1)
        free(object);
#endif
}

static void *user(void *arg)
{
    drop(arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    Object *object = malloc(sizeof *object); // BUG
    atomic_init(&object->count, 2);
    pthread_create(&t, NULL, user, object);
    drop(object);
    pthread_join(t, NULL);
    return 0;
}
