// bug: data-race
// fixed: exhaustive
// The reader must see the flag; a relaxed flag does not order the data behind it.
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static int data;
static atomic_int ready;

static void *writer(void *arg)
{
    data = 42; // BUG
    atomic_store_explicit(&ready, 1, PUBLISH);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        seen = data; // BUG
    pthread_join(t, NULL);
    return seen == 0 || seen == 42 ? 0 : 1;
}
