/* values.c - where inputs go: atomics of all widths and kinds, in one thread and between two
 *
 * litmus: -DPRIVATE -> executions 4
 * litmus: -DLENGTH -> executions 14 bugs bounds
 * litmus: -DGOTO -> executions 3 bugs assertion
 * litmus: -DCAS_FIRST -> executions 3 bugs assertion
 * litmus: -DCAS_EXPECTED -> executions 4
 * litmus: -DCAS_BOTH -> executions 4
 * litmus: -DRMW_ORDERS -> executions 3
 * litmus: -DRMW_COMMUTE -> executions 2 bugs assertion
 * litmus: -DWIDTHS -DTYPE=char -> executions 3 bugs assertion
 * litmus: -DWIDTHS -DTYPE=short -> executions 3 bugs assertion
 * litmus: -DWIDTHS -DTYPE=int -> executions 3 bugs assertion
 * litmus: -DWIDTHS -DTYPE=long -> executions 3 bugs assertion
 * litmus: -DPOINTER -> executions 3
 *
 * PRIVATE: 7, 10, -1 and the others. GOTO: three labels. LENGTH: seven lengths, the last index is outside or not.
 * CAS_FIRST: main's exchange comes first and fails; or it comes second, and succeeds or not.
 * CAS_EXPECTED: the same with an input as the value expected, which is not the first one; if it is, main goes no further.
 * CAS_BOTH: it finds 0 or 1, in either order, and succeeds or not. RMW_ORDERS, WIDTHS: if main is
 * first both find constants, else main finds an input, the one that is asked for or not.
 * RMW_COMMUTE: in which order the updates come nobody can tell.
 */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>

#ifndef TYPE
#define TYPE int
#endif

static _Atomic(TYPE) x;
static TYPE n;
static int table[2];
static _Atomic(int *) pointer;

static void *other(void *argument)
{
#if defined CAS_FIRST
    atomic_store(&x, n);
#elif defined CAS_EXPECTED || defined CAS_BOTH
    atomic_store(&x, 1);
#elif defined RMW_ORDERS
    if (atomic_fetch_add(&x, n) == 2)
        sennit_reach("other sees two");
#elif defined RMW_COMMUTE
    atomic_fetch_add(&x, n);
#elif defined WIDTHS
    if (atomic_fetch_sub(&x, n) == 100)
        sennit_reach("one hundred");
#elif defined POINTER
    atomic_store(&pointer, &table[n & 1]);
#endif
    return argument;
}

static void here(void)
{
#if defined CAS_FIRST
    TYPE expected = 7;
    if (atomic_compare_exchange_strong(&x, &expected, 1))
        sennit_assert(atomic_load(&x) != 1);
#elif defined CAS_EXPECTED
    TYPE expected = n;
    sennit_assume(n != 0);
    atomic_compare_exchange_strong(&x, &expected, 5);
#elif defined CAS_BOTH
    TYPE expected = n;
    atomic_compare_exchange_strong(&x, &expected, 5);
#elif defined RMW_ORDERS
    if (atomic_fetch_add(&x, 2) == 3)
        sennit_reach("main sees three");
#elif defined RMW_COMMUTE
    atomic_fetch_add(&x, n);
#elif defined WIDTHS
    sennit_assert(atomic_exchange(&x, 100) != 9);
#elif defined POINTER
    int *found = atomic_load(&pointer);
    if (found)
        sennit_assert(found == &table[n & 1]);
    if (found == &table[1])
        sennit_reach("second");
#endif
}

static void alone(void)
{
#if defined PRIVATE
    _Atomic(int) local = 0;
    int expected = 7;
    atomic_store(&local, n);
    if (atomic_compare_exchange_strong(&local, &expected, 9))
        sennit_reach("exchanged");
    atomic_fetch_add(&local, 1);
    if (local == 11)
        sennit_reach("added");
    if (expected == -1)
        sennit_reach("found");
#elif defined LENGTH
    unsigned length = (unsigned)n, index = sennit_uint("index");
    sennit_assume((length > 0) & (length < 8));
    int array[length];
    sennit_assume(index <= length);
    array[index] = 1;
#elif defined GOTO
    void *const labels[] = {&&end, &&middle, &&end, &&wrong};
    goto *labels[n & 3];
middle:
    return;
wrong:
    sennit_assert((n & 3) != 3);
end:
    return;
#endif
}

int main(void)
{
    n = (TYPE)sennit_int("n");
    alone();
#if !defined PRIVATE && !defined LENGTH && !defined GOTO
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    here();
    pthread_join(thread, NULL);
#endif
#ifdef RMW_COMMUTE
    sennit_assert(atomic_load(&x) != 6);
#endif
    (void)&x, (void)&table, (void)&pointer, (void)other, (void)here;
    return 0;
}
