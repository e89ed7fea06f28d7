/* Small algorithms with one order that is too weak: a sequence lock (without the acquire load, or the UNFENCED reader's
 * fence), a ring buffer, Peterson's lock (with seq_cst stores: HALF), references that are counted; WRONG is wrong with
 * any order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release

#if defined SEQLOCK
static atomic_int sequence, first, second;
static void *left(void *argument)
{
    atomic_store_explicit(&sequence, 1, RELAXED);
    atomic_thread_fence(RELEASE);
    atomic_store_explicit(&first, 1, RELAXED);
    atomic_store_explicit(&second, 1, RELAXED);
    atomic_store_explicit(&sequence, 2, RELEASE);
    return argument;
}
static void *right(void *argument)
{
#ifdef UNFENCED
    int before = atomic_load_explicit(&sequence, ACQUIRE);
#else
    int before = atomic_load_explicit(&sequence, RELAXED); /* acquire */
#endif
    if (before & 1)
        return argument;
    int a = atomic_load_explicit(&first, RELAXED), b = atomic_load_explicit(&second, RELAXED);
#ifndef UNFENCED
    atomic_thread_fence(ACQUIRE);
#endif
    if (atomic_load_explicit(&sequence, RELAXED) == before)
        assert(a == b);
    return argument;
}
#elif defined RING
enum { SIZE = 2 };
static int ring[SIZE];
static atomic_uint head, tail;
static void *left(void *argument)
{
    for (int i = 0; i < 3; i++) {
        unsigned end = atomic_load_explicit(&tail, RELAXED);
        if (end - atomic_load_explicit(&head, ACQUIRE) == SIZE)
            continue;
        ring[end % SIZE] = i;
        atomic_store_explicit(&tail, end + 1, RELAXED); /* release */
    }
    return argument;
}
static void *right(void *argument)
{
    for (int i = 0; i < 3; i++) {
        unsigned begin = atomic_load_explicit(&head, RELAXED);
        if (begin == atomic_load_explicit(&tail, ACQUIRE))
            continue;
        assert(ring[begin % SIZE] < 3);
        atomic_store_explicit(&head, begin + 1, RELEASE);
    }
    return argument;
}
#elif defined PETERSON
static atomic_int flag[2], turn, inside;
static int entered;
static void *enter(int me, int other)
{
#ifdef HALF
    atomic_store(&flag[me], 1);
    atomic_store(&turn, other);
#else
    atomic_store_explicit(&flag[me], 1, RELEASE);
    atomic_store_explicit(&turn, other, RELEASE);
#endif
    if (atomic_load_explicit(&flag[other], ACQUIRE) && atomic_load_explicit(&turn, ACQUIRE) == other)
        return 0;
#ifdef HALF
    entered++;
#else
    assert(atomic_fetch_add_explicit(&inside, 1, RELAXED) == 0);
    atomic_fetch_sub_explicit(&inside, 1, RELAXED);
#endif
    atomic_store_explicit(&flag[me], 0, RELEASE);
    return 0;
}
static void *left(void *argument) { return (void)argument, enter(0, 1); }
static void *right(void *argument) { return (void)argument, enter(1, 0); }
#elif defined COUNTED
static struct {
    atomic_int references;
    int value;
} *object;
static void *left(void *argument)
{
    assert(object->value == 0);
    if (atomic_fetch_sub_explicit(&object->references, 1, RELAXED) == 1) /* acq_rel */
        free(object);
    return argument;
}
static void *right(void *argument) { return left(argument); }
#else
static atomic_int counter;
static void *left(void *argument)
{
    int value = atomic_load_explicit(&counter, RELAXED);
    atomic_store_explicit(&counter, value + 1, RELAXED);
    return argument;
}
static void *right(void *argument) { return left(argument); }
#endif

int main(void)
{
    pthread_t threads[2];
#ifdef COUNTED
    object = calloc(1, sizeof *object);
    atomic_store(&object->references, 2);
#endif
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
#ifdef WRONG
    assert(atomic_load(&counter) == 2);
#endif
    return 0;
}
