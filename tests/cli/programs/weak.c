/* Threads that communicate by atomics: message passing, through a third thread or a counter, store buffering, late
 * stores. ORDERS: of the access that publishes, and of the one that looks. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDERS
#define ORDERS memory_order_relaxed, memory_order_relaxed
#endif
enum { PUBLISH, LOOK };
static const memory_order orders[] = {ORDERS};
#define RELAXED memory_order_relaxed

atomic_int data, ready, relayed;
int plain, seen[2];

static void *writer(void *argument)
{
#if defined PLAIN
    plain = 42;
#else
    atomic_store_explicit(&data, 42, RELAXED);
#endif
#if defined BUFFER
    seen[0] = atomic_load_explicit(&ready, RELAXED);
#elif defined COUNTER
    atomic_fetch_add_explicit(&ready, 1, memory_order_release);
#else
    atomic_store_explicit(&ready, 1, orders[PUBLISH]);
#endif
    return argument;
}

static void *reader(void *argument)
{
#if defined BUFFER
    atomic_store_explicit(&ready, 1, RELAXED);
    seen[1] = atomic_load_explicit(&data, RELAXED);
#elif defined LATE
    seen[0] = atomic_load_explicit(&ready, orders[LOOK]);
    if (seen[0])
        atomic_store_explicit(&data, 1, RELAXED);
#elif defined RELAY
    if (atomic_load_explicit(&relayed, RELAXED))
        assert(atomic_load_explicit(&data, RELAXED) == 42);
#elif defined COUNTER
    if (atomic_load_explicit(&ready, orders[LOOK]) == 2)
        assert(atomic_load_explicit(&data, RELAXED) == 42);
#elif defined PLAIN
    if (atomic_load_explicit(&ready, orders[LOOK]))
        assert(plain == 42);
#else
    if (atomic_load_explicit(&ready, orders[LOOK]))
        assert(atomic_load_explicit(&data, RELAXED) == 42);
#endif
    return argument;
}

static void *other(void *argument)
{
#if defined RELAY
    if (atomic_load_explicit(&ready, memory_order_acquire))
        atomic_store_explicit(&relayed, 1, RELAXED);
#elif defined COUNTER
    atomic_fetch_add_explicit(&ready, 1, RELAXED);
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[3];
    void *(*const starts[])(void *) = {writer, reader, other};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, starts[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
#if defined BUFFER
    assert(seen[0] || seen[1]);
#elif defined LATE
    assert(!seen[0] || atomic_load(&data) == 1);
#endif
    return 0;
}
