// bug: use-after-free
// fixed: exhaustive
// The new user takes its reference itself, and the object may be gone by then.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    atomic_int count;
} Object;

static void drop(Object *object)
{
    if (atomic_fetch_sub(&object->count, 1) == 1)
        free(object); // (BUG)
}

static void *user(void *arg)
{
    Object *object = arg;
#ifndef FIXED
    atomic_fetch_add(&object->count, 1); // BUG
#endif
    drop(object);
    return NULL;
}

int main(void)
{
    pthread_t t;
    Object *object = malloc(sizeof *object); // (BUG)
#ifdef FIXED
    atomic_init(&object->count, 2);
#else
    atomic_init(&object->count, 1);
#endif
    pthread_create(&t, NULL, user, object);
    drop(object);
    pthread_join(t, NULL);
    return 0;
}
