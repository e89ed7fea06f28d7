/* weak_memory.c - what programs see of weak memory, in complete programs
 *
 * litmus: -DMESSAGE -> executions 4 bugs assertion
 * litmus: -DMESSAGE --memory=sc -> executions 3
 * litmus: -DMESSAGE --memory=tso -> executions 3
 * litmus: -DMESSAGE --memory=rc11 -> executions 4 bugs assertion
 * litmus: -DMESSAGE -DRELEASE --memory=rc11 -> executions 3
 * litmus: -DBUFFER -> executions 4 bugs assertion
 * litmus: -DBUFFER --memory=sc -> executions 3
 * litmus: -DBUFFER --memory=tso -> executions 4 bugs assertion
 * litmus: -DBUFFER --memory=rc11 -> executions 4 bugs assertion
 * litmus: -DMESSAGE --memory=rc11 --reduction=none -> executions 81 bugs assertion
 * litmus: -DMESSAGE --memory=tso --preemptions=1 -> executions 24 verdict bounded
 * litmus: -DPOINTER --memory=sc -> executions 2
 * litmus: -DPOINTER --memory=rc11 -> executions 3 bugs use-after-free
 * litmus: -DLEAK --check=leak --memory=rc11 -> executions 2 bugs leak
 * litmus: -DAGAIN --memory=rc11 -> executions 2
 * litmus: -DINPUT --memory=rc11 -> executions 4 bugs assertion
 * litmus: -DSECTION --memory=rc11 -> executions any verdict incomplete exit 2
 *
 * MESSAGE: data and a flag, relaxed, or with release and acquire. BUFFER: store buffering. POINTER: a thread that knows
 * that a block is gone still reads its address. LEAK: the store that is not the last loses its block, although it could
 * be read. AGAIN: plain code initialises an atomic object again. INPUT: a stale value is concrete where the newest one is
 * symbolic. SECTION: atomic operations in atomic sections are refused.
 */
#include <assert.h>
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELEASE
enum { STORE = memory_order_release, LOAD = memory_order_acquire };
#else
enum { STORE = memory_order_relaxed, LOAD = memory_order_relaxed };
#endif

static atomic_int x, y;
static _Atomic(int *) pointer;
static int input;
static int seen[2];

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static void *first(void *argument)
{
#if defined MESSAGE
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, STORE);
#elif defined BUFFER
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    seen[0] = atomic_load_explicit(&y, memory_order_relaxed);
#elif defined POINTER
    int *block = atomic_exchange_explicit(&pointer, NULL, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    free(block);
#elif defined LEAK
    atomic_store_explicit(&pointer, malloc(sizeof(int)), memory_order_release);
#elif defined AGAIN
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
#elif defined INPUT
    atomic_store_explicit(&x, input, memory_order_relaxed);
#elif defined SECTION
    __VERIFIER_atomic_begin();
    atomic_store(&x, 1);
    __VERIFIER_atomic_end();
#endif
    return argument;
}

static void *second(void *argument)
{
#if defined MESSAGE
    if (atomic_load_explicit(&y, LOAD))
        assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
    else
        (void)atomic_load_explicit(&x, memory_order_relaxed);
#elif defined BUFFER
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    seen[1] = atomic_load_explicit(&x, memory_order_relaxed);
#elif defined POINTER
    if (atomic_load_explicit(&y, memory_order_relaxed)) {
        int *block = atomic_load_explicit(&pointer, memory_order_relaxed);
        if (block)
            *block = 1;
    }
#elif defined LEAK || defined AGAIN
    first(argument);
#elif defined INPUT
    int old = atomic_load_explicit(&x, memory_order_relaxed);
    if (old == 0)
        return argument;
    assert(old != 17);
#endif
    return argument;
}

int main(void)
{
    pthread_t a, b;
    (void)input;
#ifdef POINTER
    atomic_init(&pointer, malloc(sizeof(int)));
#elif defined INPUT
    input = sennit_int("input");
#elif defined AGAIN
    atomic_store(&x, 1);
    atomic_init(&x, 7);
#endif
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef BUFFER
    assert(seen[0] || seen[1]);
#elif defined LEAK
    free(atomic_load(&pointer));
#elif defined AGAIN
    assert(atomic_load(&x) == 9);
#endif
    return 0;
}
