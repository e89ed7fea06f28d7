/* wide.c - numbers of 128 bits, and atomic objects of more than 8 bytes
 *
 * litmus: -DZERO -> executions 2 bugs division
 * litmus: -DHIGH_ZERO -> executions 2 bugs division
 * litmus: -DREST -> executions 2 bugs division
 * litmus: -DLEAST -> executions 3 bugs division,overflow
 * litmus: -DBY_CONSTANT -> executions 2 bugs overflow
 * litmus: -DQUOTIENT -> executions 2 bugs assertion
 * litmus: -DSUM --check=overflow -> executions 2 bugs overflow
 * litmus: -DDIFFERENCE --check=overflow -> executions 2 bugs overflow
 * litmus: -DPRODUCT --check=overflow -> executions 2 bugs overflow
 * litmus: -DATOMIC_STORE -> executions 3 bugs assertion
 * litmus: -DATOMIC_EXCHANGE -> executions 3 bugs assertion
 * litmus: -DATOMIC_ADD -> executions 3 bugs assertion
 * litmus: -DATOMIC_SWAP -> executions 3 bugs assertion
 * litmus: -DATOMIC_STRUCT -> executions 3 bugs assertion
 *
 * ZERO: the divisor is 0 or not; HIGH_ZERO: only its upper half can be other than 0. LEAST:
 * besides, the smallest number divided by -1. Atomics: one thread stores, the other finds the
 * first value, or the stored one, which is the one that is asked for or not.
 */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>

typedef __int128 Wide;
typedef struct Triple {
    int a, b, c;
} Triple;

static Wide wide(const char *high, const char *low)
{
    return (Wide)((unsigned __int128)sennit_ulong(high) << 64 | sennit_ulong(low));
}

static Wide x;
static volatile Wide result;

#if defined ATOMIC_STORE || defined ATOMIC_EXCHANGE || defined ATOMIC_ADD || defined ATOMIC_SWAP || defined ATOMIC_STRUCT
static _Atomic(Wide) shared;
static _Atomic(Triple) triple;

static void *store(void *argument)
{
#if defined ATOMIC_STRUCT
    atomic_store(&triple, ((Triple){1, (int)x, 3}));
#elif defined ATOMIC_ADD
    atomic_fetch_add(&shared, x);
#elif defined ATOMIC_EXCHANGE
    if (atomic_exchange(&shared, x) == 9)
        result = 1;
#elif defined ATOMIC_SWAP
    Wide expected = 0;
    atomic_compare_exchange_strong(&shared, &expected, x);
#else
    atomic_store(&shared, x);
#endif
    return argument;
}

static void look(void)
{
#if defined ATOMIC_STRUCT
    Triple found = atomic_load(&triple);
    sennit_assert(found.b != 7);
#elif defined ATOMIC_EXCHANGE
    sennit_assert(atomic_exchange(&shared, 9) != (Wide)7 << 64);
#elif defined ATOMIC_SWAP
    Wide expected = (Wide)7 << 64;
    if (atomic_compare_exchange_strong(&shared, &expected, 5))
        sennit_assert(atomic_load(&shared) != 5);
#else
    sennit_assert(atomic_load(&shared) != (Wide)7 << 64);
#endif
    (void)&triple, (void)&shared;
}
#endif

int main(void)
{
    x = wide("x.high", "x.low");
#if defined ZERO
    result = 5 / x;
#elif defined HIGH_ZERO
    result = (Wide)5 / (x >> 64 << 64);
#elif defined REST
    result = (Wide)((unsigned __int128)5 % (unsigned __int128)x);
#elif defined LEAST
    result = x / wide("y.high", "y.low");
#elif defined BY_CONSTANT
    result = (int)x / -1;
#elif defined QUOTIENT
    sennit_assert(x / 1000 != (Wide)12345 << 64);
#elif defined SUM
    result = x + 1;
#elif defined DIFFERENCE
    result = -2 - x;
#elif defined PRODUCT
    result = x * 4;
#else
    pthread_t thread;
    pthread_create(&thread, NULL, store, NULL);
    look();
    pthread_join(thread, NULL);
#endif
    return (int)(result & 0);
}
