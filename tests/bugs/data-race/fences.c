// bug: data-race
// fixed: exhaustive
// The reader must see the relaxed flag; only a pair of fences orders the data behind it.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *writer(void *arg)
{
    data = 42; // BUG
#ifdef FIXED
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        seen = data; // BUG
    }
    pthread_join(t, NULL);
    return seen == 0 || seen == 42 ? 0 : 1;
}
