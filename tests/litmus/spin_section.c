/* spin_section.c - loops that wait by means of atomic sections
 *
 * litmus: -DLOOK -> executions 2
 * litmus: -DLOCK -> executions 4
 * litmus: -DEXCHANGE -> executions 4
 * litmus: -DCOUNT -> executions 4
 * litmus: -DNESTED -> executions 5
 *
 * LOOK: the flag is seen at once, or after a wait. LOCK, EXCHANGE: either thread is first, and the other
 * finds the lock taken, then waits, or free. COUNT: a section that changes something is no look; the flag
 * is set before one of three rounds, or too late. NESTED: the inner loop looks for the first of two
 * stores, the outer one for the second. The second is seen at once or after a wait: 2; if the inner loop has
 * waited, the outer one looks once more before it waits itself: 3.
 */
#include "litmus.h"

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int shared, inside;

#if defined LOOK

static void *body(void *first)
{
    int seen = 0;
    if (first) {
        __VERIFIER_atomic_begin();
        shared = 1;
        __VERIFIER_atomic_end();
        return NULL;
    }
    while (!seen) {
        __VERIFIER_atomic_begin();
        seen = shared;
        __VERIFIER_atomic_end();
    }
    return NULL;
}

#elif defined NESTED

static void *body(void *first)
{
    int a, b;
    if (first) {
        __VERIFIER_atomic_begin();
        shared = 1;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        inside = 1;
        __VERIFIER_atomic_end();
        return NULL;
    }
    do {
        do {
            __VERIFIER_atomic_begin();
            a = shared;
            __VERIFIER_atomic_end();
        } while (!a);
        __VERIFIER_atomic_begin();
        b = inside;
        __VERIFIER_atomic_end();
    } while (!b);
    return NULL;
}

#elif defined COUNT

static void *body(void *first)
{
    if (first) {
        __VERIFIER_atomic_begin();
        shared = 1;
        __VERIFIER_atomic_end();
        return NULL;
    }
    for (;;) {
        __VERIFIER_atomic_begin();
        inside++;
        int done = shared || inside == 3;
        __VERIFIER_atomic_end();
        if (done)
            return NULL;
    }
}

#else

#ifdef LOCK
static int __VERIFIER_atomic_take(void)
{
    if (shared)
        return 0;
    shared = 1;
    return 1;
}
#else
static void __VERIFIER_atomic_exchange(int *place, int *value)
{
    int old = *place;
    *place = *value;
    *value = old;
}

static int __VERIFIER_atomic_take(void)
{
    int value = 1;
    __VERIFIER_atomic_exchange(&shared, &value);
    return !value;
}
#endif

static void *body(void *unused)
{
    while (!__VERIFIER_atomic_take())
        continue;
    int before = inside;
    inside = before + 1;
    __VERIFIER_atomic_begin();
    shared = 0;
    __VERIFIER_atomic_end();
    return unused;
}

#endif

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, body, &a);
    pthread_create(&b, NULL, body, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#if defined LOCK || defined EXCHANGE
    assert(inside == 2);
#endif
    return 0;
}
