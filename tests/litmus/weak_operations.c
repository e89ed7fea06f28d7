/* weak_operations.c - what an update would write if it read another value, which decides whether a thread goes on
 *
 * litmus: --memory=rc11 -DADD -> executions 10 redundant 2
 * litmus: --memory=rc11 -DSUB -> executions 10 redundant 2
 * litmus: --memory=rc11 -DXCHG -> executions 14 redundant 1
 * litmus: --memory=rc11 -DXOR -> executions 10 redundant 2
 * litmus: --memory=rc11 -DOR -> executions 12 redundant 1
 * litmus: --memory=rc11 -DAND -> executions 18 redundant 1
 */
#include "litmus.h"

#if defined(ADD)
typedef int Value;
#define UPDATE atomic_fetch_add_explicit(&x, 1, memory_order_relaxed)
enum { WRITTEN = 1 };
#elif defined(SUB)
typedef unsigned char Value;
#define UPDATE atomic_fetch_sub_explicit(&x, 255, memory_order_relaxed)
enum { WRITTEN = 1 };
#elif defined(XCHG)
typedef short Value;
#define UPDATE atomic_exchange_explicit(&x, 1, memory_order_relaxed)
enum { WRITTEN = 1 };
#elif defined(XOR)
typedef long Value;
#define UPDATE atomic_fetch_xor_explicit(&x, 1, memory_order_relaxed)
enum { WRITTEN = 1 };
#elif defined(OR)
typedef unsigned Value;
#define UPDATE atomic_fetch_or_explicit(&x, 4, memory_order_relaxed)
enum { WRITTEN = 4 };
#else
typedef signed char Value;
#define UPDATE atomic_fetch_and_explicit(&x, 1, memory_order_relaxed)
enum { WRITTEN = 0 };
#endif

static _Atomic(Value) x;

void __VERIFIER_assume(int condition);

static void *waiter(void *unused)
{
    __VERIFIER_assume(atomic_load_explicit(&x, memory_order_relaxed) == WRITTEN);
    return unused;
}

static void *updater(void *unused)
{
    UPDATE;
    return unused;
}

static void *setter(void *unused)
{
    atomic_store_explicit(&x, 7, memory_order_relaxed);
    return unused;
}

int main(void)
{
    start(updater, 0);
    start(waiter, 0);
    start(setter, 0);
    start(updater, 0);
    join_all();
    return 0;
}
