// bug: assertion
// fixed: exhaustive
// The reader must see the flag after the writer raised it and before the data follows.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

static void *writer(void *arg)
{
#ifdef FIXED
    atomic_store(&data, 1);
    atomic_store(&flag, 1);
#else
    atomic_store(&flag, 1);
    atomic_store(&data, 1);
#endif
    return NULL;
}

static void *reader(void *arg)
{
    if (atomic_load(&flag))
        assert(atomic_load(&data) == 1); // BUG
    return NULL;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
