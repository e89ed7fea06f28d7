/* faults.c - faults where they belong: budgets for messages and actors, partitions, what survives a crash
 *
 * litmus: -DBUDGET -> executions 6
 * litmus: -DBUDGET --lose=5 -> executions 6
 * litmus: -DOWN -> executions 1
 * litmus: -DOWN --lose=9 --duplicate=9 -> executions 1
 * litmus: -DOWN -DASKED -> executions 3
 * litmus: -DMARKED -> executions 4
 * litmus: -DMARKED --crash=1 -> executions 10
 * litmus: -DDURABLE -> executions 5
 * litmus: -DDURABLE -DNO_SYNC -> executions 3 bugs assertion
 * litmus: -DPARTITION -> executions 5
 * litmus: -DPARTITION -DNO_HEAL -> executions 2 bugs assertion
 * litmus: -DUNNAMED -> executions any bugs message-misuse
 * litmus: -DLATE -> executions any bugs message-misuse
 *
 * BUDGET: of three messages only those with tag 1 can be lost, one of them at most. OWN: main's messages and those to
 * oneself are not lost, unless a call names them (ASKED). MARKED: one of two actors may crash; the other one only with
 * --crash. DURABLE: a counter that is stored before it is used never falls back; without sennit_sync it does.
 * PARTITION: a message is repeated after the link has healed.
 */
#include <assert.h>
#include <sennit/actor.h>

static sennit_pid a, b;
static int stored, seen;

#if defined BUDGET
static void run_a(void *argument)
{
    (void)argument;
    for (int tag = 0; tag < 3; tag++)
        sennit_send_tag(b, tag % 2, &tag, sizeof tag);
    int last = 3;
    sennit_send_tag(b, 1, &last, sizeof last);
}

static void run_b(void *argument)
{
    int number;
    (void)argument;
    sennit_daemon();
    for (int i = 0; i < 2; i++)
        sennit_receive_tag(0, &number, sizeof number);
}

static void set_up(void) { sennit_lose(a, b, 1, 1), sennit_lose(0, 0, 0, 0); }
#elif defined OWN
static void run_a(void *argument)
{
    int number = 1;
    (void)argument;
    sennit_daemon();
    sennit_receive(&number, sizeof number);
    sennit_send(a, &number, sizeof number);
    sennit_receive(&number, sizeof number);
}

static void run_b(void *argument) { (void)argument; }

static void set_up(void)
{
    int number = 1;
#ifdef ASKED
    sennit_lose(sennit_self(), 0, SENNIT_ANY_TAG, 1);
    sennit_lose(a, a, SENNIT_ANY_TAG, 1);
#endif
    sennit_send(a, &number, sizeof number);
}
#elif defined MARKED
static void run_a(void *argument)
{
    int number = 1;
    (void)argument;
    sennit_send(b, &number, sizeof number);
    sennit_send(b, &number, sizeof number);
}

static void run_b(void *argument)
{
    int number;
    (void)argument;
    sennit_daemon();
    for (int i = 0; i < 2; i++)
        sennit_receive(&number, sizeof number);
}

static void set_up(void) { sennit_crash(a, 1); }
#elif defined DURABLE
static void count(void *argument)
{
    (void)argument;
    assert(stored >= seen);
    while (stored < 2) {
        stored++;
#ifndef NO_SYNC
        sennit_sync();
#endif
        sennit_send(b, &stored, sizeof stored);
        seen = stored;
    }
}

static void run_a(void *argument)
{
    sennit_restart(count, argument);
    sennit_durable(&stored, sizeof stored);
    count(argument);
}

static void run_b(void *argument) { (void)argument; }
static void set_up(void) { sennit_crash(a, 1); }
#else
static void run_a(void *argument)
{
    int number = 1;
    (void)argument;
    sennit_send(b, &number, sizeof number);
    sennit_receive(&number, sizeof number);
    sennit_send(b, &number, sizeof number);
}

static void run_b(void *argument)
{
    int number;
    (void)argument;
    sennit_daemon();
    for (;;) {
        sennit_receive(&number, sizeof number);
        seen++;
    }
}

static void divide(void *argument)
{
    int number = 2;
    (void)argument;
#ifdef LATE
    sennit_link(a, b);
#endif
    sennit_cut(a, b);
#ifndef NO_HEAL
    sennit_heal(a, b);
#endif
    sennit_send(a, &number, sizeof number);
}

static void set_up(void)
{
#ifndef UNNAMED
    sennit_link(b, a);
#endif
    sennit_spawn("partition", divide, 0);
}
#endif

int main(void)
{
    a = sennit_spawn("a", run_a, 0);
    b = sennit_spawn("b", run_b, 0);
    set_up();
    sennit_run();
#if defined PARTITION
    assert(seen >= 1);
#else
    (void)seen, (void)stored;
#endif
    return 0;
}
