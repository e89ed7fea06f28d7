/* waits.c - loops that wait for a value which depends on inputs
 *
 * litmus: -DVALUE -> executions 5 bugs livelock
 * litmus: -DOPERAND -> executions 11 bugs livelock
 * litmus: -DBOTH -> executions 4 bugs livelock
 * litmus: -DMASK -> executions 2 bugs livelock
 * litmus: -DEXCHANGE -> executions 4 bugs livelock
 * litmus: -DLOCK -> executions 3 bugs livelock
 * litmus: -DSWAP -> executions 4 bugs livelock
 * litmus: -DUPDATES -> executions 5 bugs livelock
 * litmus: -DTWO -> executions 4 bugs livelock
 * litmus: -DBYTE -> executions 2 bugs livelock
 * litmus: -DFIRST -> executions 2 bugs livelock
 * litmus: -DSECTION -> executions 2 bugs livelock
 * litmus: -DPLAIN --plain=visible -> executions 4 bugs livelock
 * litmus: -DNEIGHBOUR -> executions 1
 *
 * Looking at a value that depends on inputs is a branch; passing over others is none. VALUE:
 * the waiter sees n, which is above 5 or not, and then perhaps n + 1; or n + 1 only.
 */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;
static _Atomic(unsigned char) byte;
static int n, plain;

static void *wait(void *argument)
{
#if defined VALUE || defined FIRST
    while (atomic_load(&x) <= 5)
        continue;
#elif defined OPERAND /* 0, 1 and 2 are there; each seen or not, each n or not */
    int wanted = n;
    while (atomic_load(&x) != wanted)
        continue;
#elif defined BOTH
    int wanted = n;
    while (atomic_load(&x) != 2 * wanted)
        continue;
#elif defined MASK
    while (!(atomic_load(&x) & 4))
        continue;
#elif defined EXCHANGE
    while (atomic_exchange(&x, 1))
        continue;
#elif defined LOCK
    int expected = 0;
    while (!atomic_compare_exchange_strong(&x, &expected, 1))
        expected = 0;
#elif defined SWAP /* what is stored is an input */
    int expected = 3;
    while (!atomic_compare_exchange_strong(&x, &expected, n))
        expected = 3;
    sennit_assert(atomic_load(&x) == n);
#elif defined UPDATES
    while (atomic_load(&x) != 7)
        continue;
#elif defined TWO
    while (atomic_load(&x) + atomic_load(&y) <= 5)
        continue;
#elif defined BYTE
    while (atomic_load(&byte) != 9)
        continue;
#elif defined SECTION
    while (atomic_load(&x) != 4)
        continue;
#elif defined PLAIN
    while (*(volatile int *)&plain != 4)
        continue;
#elif defined NEIGHBOUR
    while (atomic_load(&y) != 1)
        continue;
#endif
    return argument;
}

static void store(void)
{
#if defined VALUE
    atomic_store(&x, n);
    atomic_store(&x, n + 1);
#elif defined OPERAND
    atomic_store(&x, 1);
    atomic_store(&x, 2);
#elif defined SWAP
    atomic_store(&x, n);
#elif defined UPDATES
    atomic_fetch_add(&x, n);
    atomic_fetch_add(&x, 1);
#elif defined BYTE
    atomic_store(&byte, (unsigned char)n);
#elif defined FIRST
#elif defined SECTION
    __VERIFIER_atomic_begin();
    atomic_store(&x, 4);
    atomic_store(&x, n);
    __VERIFIER_atomic_end();
#elif defined PLAIN
    plain = n;
#elif defined NEIGHBOUR
    atomic_store(&x, n);
    atomic_store(&y, 1);
#else
    atomic_store(&x, n);
#endif
}

int main(void)
{
    pthread_t thread;
    n = sennit_int("n");
#ifdef FIRST /* before there is anybody to see it */
    atomic_init(&x, n);
#endif
    pthread_create(&thread, NULL, wait, NULL);
    store();
    pthread_join(thread, NULL);
    (void)plain, (void)byte, (void)y;
    return 0;
}
