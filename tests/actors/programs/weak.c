/* weak.c - actors with relaxed atomics: messages order what is before them, and an actor what it did for earlier ones
 *
 * litmus: -DSB --memory=rc11 -> executions 4
 * litmus: -DSB --memory=tso -> executions 4
 * litmus: -DSB --memory=sc -> executions 3
 * litmus: -DMP --memory=rc11 -> executions 4
 * litmus: -DMP --memory=tso -> executions 3
 * litmus: -DSENT --memory=rc11 -> executions 1
 * litmus: -DOWN --memory=rc11 -> executions 2
 * litmus: -DAFTER --memory=rc11 -> executions 1
 * litmus: -DRACE --memory=rc11 -> executions 1 bugs data-race
 *
 * SB, MP: two actors, as threads would do it. SENT: a message is behind the store. OWN: an actor stores for its first
 * message and loads for its second one, whichever that is. AFTER: main looks when all actors have ended. RACE: a plain
 * variable, although a message went the other way.
 */
#include <assert.h>
#include <sennit/actor.h>
#include <stdatomic.h>

static atomic_int x, y;
static int plain;
static sennit_pid first, second;

static void store(atomic_int *to) { atomic_store_explicit(to, 1, memory_order_relaxed); }
static int load(atomic_int *from) { return atomic_load_explicit(from, memory_order_relaxed); }

static void run_first(void *argument)
{
    int got = 0;
    (void)argument, (void)got;
#if defined SB
    store(&x);
    load(&y);
#elif defined MP || defined AFTER
    store(&x);
    store(&y);
#elif defined SENT
    store(&x);
    plain = 1;
    sennit_send(second, &got, sizeof got);
#elif defined OWN
    sennit_receive(&got, sizeof got);
    store(&x);
    sennit_receive(&got, sizeof got);
    assert(load(&x) == 1);
#elif defined RACE
    sennit_receive(&got, sizeof got);
    plain = 1;
#endif
}

static void run_second(void *argument)
{
    int got = 0;
    (void)argument, (void)got;
#if defined SB
    store(&y);
    load(&x);
#elif defined MP
    load(&y);
    load(&x);
#elif defined SENT
    sennit_receive(&got, sizeof got);
    assert(load(&x) == 1 && plain == 1);
#elif defined OWN
    sennit_send(first, &got, sizeof got);
#elif defined RACE
    sennit_send(first, &got, sizeof got);
    plain = 2;
#endif
}

int main(void)
{
    first = sennit_spawn("first", run_first, NULL);
    second = sennit_spawn("second", run_second, NULL);
#ifdef OWN
    sennit_spawn("third", run_second, NULL);
#endif
    sennit_run();
#ifdef AFTER
    assert(load(&x) == 1 && load(&y) == 1);
#endif
    return 0;
}
