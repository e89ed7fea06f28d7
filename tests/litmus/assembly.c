/* assembly.c - atomic operations in inline assembly are visible operations
 *
 * litmus: --memory=sc -> executions 1
 * litmus: -DUNLOCKED -> executions 4 bugs assertion
 * litmus: -DRESULT -> executions 2
 * litmus: -DLOCK --memory=sc -> executions 2 redundant 2
 * litmus: -DTRY -> executions 4
 * litmus: -DBITS -> executions 2
 * litmus: -DMESSAGE -> executions 2
 * litmus: -DRACE -> executions 2 bugs data-race
 * litmus: -DUNKNOWN -> executions 1 verdict exhaustive-but-for
 *
 * Two locked increments commute; without the lock each is a load and a store, and two of four orders lose one. Of two
 * exchanges one comes first. A lock is
 * taken in two orders; where the second thread asks before the first has released it, it has tried in vain. A store
 * publishes what was written before it, if the compiler, too, keeps the order ("memory"). What is not known is named.
 */
#include "litmus.h"

static int x, y;

#if defined __x86_64__
static void increment(int *p) { __asm__ __volatile__("lock; incl %0" : "+m"(*p) : : "memory"); }
static void increment_unlocked(int *p) { __asm__ __volatile__("incl %0" : "+m"(*p) : : "memory"); }
static int add(int *p, int v)
{
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}
static int exchange(int *p, int v)
{
    __asm__ __volatile__("xchgl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}
static int set_bit(int *p)
{
    _Bool old;
    __asm__ __volatile__("lock; btsl $3, %0; setc %1" : "+m"(*p), "=q"(old) : : "memory");
    return old;
}
static void store(int *p, int v) { __asm__ __volatile__("movl %1, %0" : "=m"(*p) : "r"(v) : "memory"); }
static void store_weakly(int *p, int v) { __asm__ __volatile__("movl %1, %0" : "=m"(*p) : "r"(v)); }
static int load(int *p)
{
    int v;
    __asm__ __volatile__("movl %1, %0" : "=r"(v) : "m"(*p) : "memory");
    return v;
}
static void relax(void) { __asm__ __volatile__("rep; nop" : : : "memory"); }
static void unknown(int *p) { __asm__ __volatile__("fnstcw %0" : "+m"(*p)); }
#else
static int add(int *p, int v)
{
    int old, new, status;
    __asm__ __volatile__("1: ldaxr %w0, [%3]\nadd %w1, %w0, %w4\nstlxr %w2, %w1, [%3]\ncbnz %w2, 1b"
                         : "=&r"(old), "=&r"(new), "=&r"(status) : "r"(p), "r"(v) : "memory");
    return old;
}
static void increment(int *p) { add(p, 1); }
static int exchange(int *p, int v)
{
    int old, status;
    __asm__ __volatile__("1: ldaxr %w0, [%2]\nstlxr %w1, %w3, [%2]\ncbnz %w1, 1b"
                         : "=&r"(old), "=&r"(status) : "r"(p), "r"(v) : "memory");
    return old;
}
static int set_bit(int *p)
{
    int old, new, status;
    __asm__ __volatile__("1: ldaxr %w0, [%3]\norr %w1, %w0, #8\nstlxr %w2, %w1, [%3]\ncbnz %w2, 1b"
                         : "=&r"(old), "=&r"(new), "=&r"(status) : "r"(p) : "memory");
    return old >> 3 & 1;
}
static void store(int *p, int v) { __asm__ __volatile__("stlr %w1, [%0]" : : "r"(p), "r"(v) : "memory"); }
static void store_weakly(int *p, int v) { __asm__ __volatile__("str %w1, [%0]" : : "r"(p), "r"(v) : "memory"); }
static int load(int *p)
{
    int v;
    __asm__ __volatile__("ldar %w0, [%1]" : "=r"(v) : "r"(p) : "memory");
    return v;
}
static void increment_unlocked(int *p) { store(p, load(p) + 1); }
static void relax(void) { __asm__ __volatile__("yield" : : : "memory"); }
static void unknown(int *p) { __asm__ __volatile__("dc zva, %0" : : "r"(p) : "memory"); }
#endif

static void lock(int *p)
{
    while (exchange(p, 1))
        while (load(p))
            relax();
}

static void *worker(void *unused)
{
#if defined UNLOCKED
    increment_unlocked(&x);
#elif defined RESULT
    int seen = add(&x, 1);
    assert(seen == 0 || seen == 1);
#elif defined LOCK
    lock(&x);
    y++;
    store(&x, 0);
#elif defined TRY
    if (!exchange(&x, 1)) {
        y++;
        store(&x, 0);
    }
#elif defined BITS
    if (!set_bit(&x))
        y++;
#elif defined MESSAGE
    y = 1;
    store(&x, 1);
#elif defined RACE
    y = 1;
    store_weakly(&x, 1);
#elif defined UNKNOWN
    if (unused)
        unknown(&y);
#else
    increment(&x);
#endif
    return unused;
}

int main(void)
{
    start(worker, 1);
#if defined MESSAGE || defined RACE
    if (load(&x))
        assert(y == 1);
    join_all();
#else
    start(worker, 0);
    join_all();
#endif
#if defined TRY
    assert(y == 1 || y == 2);
#elif defined BITS
    assert(x == 8 && y == 1);
#elif defined LOCK
    assert(x == 0 && y == 2);
#elif !defined MESSAGE && !defined RACE && !defined UNKNOWN
    assert(x == 2);
#endif
    (void)increment, (void)increment_unlocked, (void)add, (void)set_bit, (void)store_weakly, (void)lock, (void)unknown;
    return 0;
}
