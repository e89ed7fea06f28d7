/* weak_volatile.c - accesses to volatile objects as relaxed atomic ones, under weak memory
 *
 * litmus: -DSB --plain=volatile-atomic --memory=sc -> executions 3
 * litmus: -DSB --plain=volatile-atomic --memory=tso -> executions 4 bugs assertion
 * litmus: -DSB --plain=volatile-atomic --memory=rc11 -> executions 4 bugs assertion
 * litmus: -DSB -DFENCE --plain=volatile-atomic --memory=tso -> executions 3
 * litmus: -DSB -DFENCE --plain=volatile-atomic --memory=rc11 -> executions 3
 * litmus: -DMP --plain=volatile-atomic --memory=tso -> executions 3
 * litmus: -DMP --plain=volatile-atomic --memory=rc11 -> executions 4 bugs assertion
 * litmus: -DMP -DFENCE --plain=volatile-atomic --memory=rc11 -> executions 3
 * litmus: -DMIXED --plain=volatile-atomic --memory=rc11 -> executions 3
 * litmus: -DLATE --plain=volatile-atomic --memory=tso -> executions 3
 * litmus: -DLATE --plain=volatile-atomic --memory=rc11 -> executions 4 bugs assertion
 * litmus: -DPLAIN --plain=volatile-atomic --memory=rc11 -> executions any bugs data-race
 * litmus: -DPACKED --plain=volatile-atomic -> executions 2
 * litmus: -DPACKED --plain=volatile-atomic --memory=rc11 -> executions 0 verdict incomplete exit 2
 * litmus: -DSIZES --plain=volatile-atomic --memory=rc11 -> executions 0 verdict incomplete exit 2
 *
 * SB: store buffering. MP: message passing, the flag and the data in one word. MIXED: the flag is stored and loaded
 * atomically by one of the two. LATE: 2+2W; main reads both objects behind the threads. PLAIN: not every access is
 * volatile. PACKED: not aligned, hence searched under SC or refused; SIZES: the same object in two sizes.
 */
#include "litmus.h"

#include <assert.h>

static volatile short x, y;
static short seen[2];
static struct __attribute__((packed)) {
    char first;
    volatile int second;
} packed;

#ifdef FENCE
#define ORDER() atomic_thread_fence(memory_order_seq_cst)
#else
#define ORDER() ((void)0)
#endif

static void *left(void *argument)
{
#if defined SB
    x = 1;
    ORDER();
    seen[0] = y;
#elif defined PACKED
    packed.second = 1;
#elif defined LATE
    x = 1;
    y = 2;
#elif defined MIXED
    x = 1;
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
#else
    x = 1;
    ORDER();
    y = 1;
#endif
    return argument;
}

static void *right(void *argument)
{
#if defined SB
    y = 1;
    ORDER();
    seen[1] = x;
#elif defined PACKED
    seen[1] = (short)packed.second;
#elif defined LATE
    y = 1;
    x = 2;
#elif defined MIXED
    seen[0] = __atomic_load_n(&y, __ATOMIC_ACQUIRE);
    seen[1] = x;
    assert(seen[1] || !seen[0]);
#elif defined PLAIN
    seen[0] = *(short *)&x;
#elif defined SIZES
    seen[0] = *(volatile char *)&x;
#else
    seen[0] = y;
    ORDER();
    seen[1] = x;
    assert(seen[1] || !seen[0]);
#endif
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, left, NULL);
    pthread_create(&threads[1], NULL, right, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
#if defined SB
    assert(seen[0] || seen[1]);
#elif defined LATE
    assert(x == 2 || y == 2);
#endif
    return 0;
}
