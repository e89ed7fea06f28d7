// bug: use-after-free
// fixed: exhaustive
// Main must see the object as done, and free it, before the thread has unlocked the mutex inside it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    pthread_mutex_t lock;
    atomic_int done;
} Object;

static void *finish(void *arg)
{
    Object *object = arg;
    pthread_mutex_lock(&object->lock);
#ifdef FIXED
    pthread_mutex_unlock(&object->lock);
    atomic_store(&object->done, 1);
#else
    atomic_store(&object->done, 1);
    pthread_mutex_unlock(&object->lock); // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    Object *object = calloc(1, sizeof *object); // (BUG)
    pthread_mutex_init(&object->lock, NULL);
    pthread_create(&t, NULL, finish, object);
    while (!atomic_load(&object->done))
        ;
    free(object); // BUG
    pthread_join(t, NULL);
    return 0;
}
