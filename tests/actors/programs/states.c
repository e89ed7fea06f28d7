/* states.c - searches that recognise states (--reduction=states)
 *
 * litmus: -DCOMMIT -DN=3 -O2 --reduction=states -> states 289
 * litmus: -DCOMMIT -DN=5 -O2 --reduction=states -> states 8833
 * litmus: -DSERVER -O2 --reduction=states -> states 114
 * litmus: -DSERVER -DCLIENTS=3 -O2 --reduction=states -> states 1346
 * litmus: -DSERVER -DWRONG -O2 --reduction=states -> states 20 bugs assertion
 * litmus: -DRETRY --timeouts=2 --reduction=states -> states 15 verdict bounded
 * litmus: -DSHARED --reduction=states -> states 3 verdict exhaustive-but-for
 * litmus: -DARGUMENT --lose=1 --reduction=states -> states 6 bugs assertion
 * litmus: -DSTARVE -O2 --reduction=states -> states 6 bugs liveness
 * litmus: -DSTARVE -DFIXED -O2 --reduction=states -> states 8
 * litmus: -DRETRANSMIT -O2 --reduction=states -> states 7 bugs liveness
 * litmus: -DRETRANSMIT -DFIXED -O2 --reduction=states -> states 10
 * litmus: -DTAKE_TURNS -O2 --reduction=states -> states 30 bugs liveness
 * litmus: -DTAKE_TURNS -DFIXED -O2 --reduction=states -> states 12
 * litmus: -DCRASH --reduction=states -> executions any states any verdict bounded bugs assertion,crash,deadlock
 *
 * COMMIT is two-phase commit as Gray and Lamport have specified it: a resource manager prepares or aborts by itself,
 * the transaction manager may decide to abort before it commits. TLC and Stateright state 288 and 8,832 states for 3
 * and 5 resource managers; here there is one more, before sennit_run. What the specification keeps (who has told the
 * manager, whom it has heard) is kept in variables. SERVER answers clients that never end: two clients with 3 values
 * and an answer or a question on its way make 36 states, times 3 for what the server has still in its buffer, and 6 at
 * the beginning. WRONG: there is one number too many. RETRY sends again whenever it times out, which --timeouts bounds.
 * SHARED variables may race on ways that are not taken. ARGUMENT: where a message goes is known by the call alone while
 * the network decides whether it is lost. Then programs that run for ever while something is still to happen, and their
 * repairs: STARVE, a server that never looks at the questions; RETRANSMIT, a sender that repeats a message whenever the
 * receiver asks for it, but with the wrong number after the first one; TAKE_TURNS, two who pass a token on while a
 * third waits for it. A CRASH kills the process of the search, which finds the other bug all the same.
 */
#include <sennit/actor.h>
#include <sennit/sennit.h>

#if defined COMMIT

enum { WORKING, PREPARED, COMMITTED, ABORTED };
enum { ABORT, COMMIT_NOW, GO, READY, DECISION };

static sennit_pid manager, resources[N];
static char outcome[N], told[N], heard[N], decision;

/* In one function: what others have left on a stack is compared, too. */
static void manage(void *argument)
{
    int which, all;
    (void)argument;
    sennit_send_tag(sennit_self(), ABORT, 0, 0);
    while (!decision) {
        which = 0; /* what it was is not to be told apart */
        sennit_receive(&which, sizeof which);
        if (sennit_message_tag() == READY) {
            heard[which] = all = 1;
            for (int i = 0; i < N; i++)
                all &= heard[i];
            if (all)
                sennit_send_tag(sennit_self(), COMMIT_NOW, 0, 0);
        } else {
            decision = sennit_message_tag() == ABORT ? ABORTED : COMMITTED;
        }
    }
    for (int i = 0; i < N; i++)
        sennit_send_tag(resources[i], DECISION, &decision, 1);
}

static void work(void *argument)
{
    int me = (int)(long)argument;
    char decided;
    sennit_send_tag(sennit_self(), GO, 0, 0);
    sennit_receive(&decided, 1);
    if (sennit_message_tag() == GO && sennit_choose(2)) {
        outcome[me] = PREPARED;
        told[me] = 1;
        sennit_send_tag(manager, READY, &me, sizeof me);
        sennit_receive(&decided, 1);
        outcome[me] = decided;
    } else {
        outcome[me] = ABORTED;
    }
}

int main(void)
{
    manager = sennit_spawn("manager", manage, 0);
    for (int i = 0; i < N; i++)
        resources[i] = sennit_spawn("resource", work, (void *)(long)i);
    sennit_run();
}

#elif defined RETRY

static sennit_pid server;

static void serve(void *argument)
{
    int x;
    (void)argument;
    sennit_daemon();
    for (;;) {
        sennit_pid from = sennit_receive(&x, sizeof x);
        sennit_send(from, &x, sizeof x);
    }
}

static void ask(void *argument)
{
    int x = 1;
    (void)argument;
    sennit_daemon();
    do
        sennit_send(server, &x, sizeof x);
    while (!sennit_receive_timed(10, &x, sizeof x));
}

int main(void)
{
    server = sennit_spawn("server", serve, 0);
    sennit_spawn("client", ask, 0);
    sennit_run();
}

#elif defined SHARED

static sennit_pid second;
static int shared;

static void one(void *argument)
{
    (void)argument;
    shared = 1;
    sennit_send(second, 0, 0);
}

static void two(void *argument)
{
    (void)argument;
    sennit_receive(0, 0);
    shared = 2;
}

int main(void)
{
    second = sennit_spawn("two", two, 0);
    sennit_spawn("one", one, 0);
    sennit_run();
}

#elif defined ARGUMENT

static sennit_pid sinks[2];
static int got[2];

static void sink(void *argument)
{
    int me = (int)(long)argument;
    sennit_daemon();
    sennit_receive(0, 0);
    got[me] = 1;
    sennit_assert(me == 0);
}

static void source(void *argument)
{
    (void)argument;
    sennit_send(sinks[sennit_choose(2)], 0, 0);
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        sinks[i] = sennit_spawn("sink", sink, (void *)(long)i);
    sennit_spawn("source", source, 0);
    sennit_run();
}

#elif defined CRASH

#include <stdlib.h>

static sennit_pid server;

static void serve(void *argument)
{
    int x, sum = 0;
    (void)argument;
    for (;;) {
        sennit_receive(&x, sizeof x);
        sum = sum * 2 + x;
        if (sum == 5)
            *(volatile int *)0 = 1;
        sennit_assert(sum != 6);
        if (sum >= 4)
            exit(0);
    }
}

static void ask(void *argument)
{
    int x = (int)(long)argument;
    sennit_send(server, &x, sizeof x);
}

int main(void)
{
    server = sennit_spawn("server", serve, 0);
    for (long i = 0; i < 4; i++)
        sennit_spawn("client", ask, (void *)(i % 2));
    sennit_run();
}

#elif defined STARVE

#include <sennit/monitor.h>

enum { TICK, ASK };
SENNIT_OBLIGATION(answered, "the question is answered");
static sennit_pid server;

static void serve(void *argument)
{
    (void)argument;
    sennit_send_tag(sennit_self(), TICK, 0, 0);
    for (;;) {
#ifdef FIXED
        sennit_receive(0, 0);
#else
        sennit_receive_tag(TICK, 0, 0);
#endif
        if (sennit_message_tag() == TICK)
            sennit_send_tag(sennit_self(), TICK, 0, 0);
        else
            sennit_cold(&answered);
    }
}

static void ask(void *argument)
{
    (void)argument;
    sennit_hot(&answered);
    sennit_send_tag(server, ASK, 0, 0);
}

int main(void)
{
    server = sennit_spawn("server", serve, 0);
    sennit_spawn("client", ask, 0);
    sennit_run();
}

#elif defined RETRANSMIT

#include <sennit/monitor.h>

enum { DATA, AGAIN };
SENNIT_OBLIGATION(received, "the second number is received");
static sennit_pid sender, receiver;

static void transmit(void *argument)
{
    int number = 0, wanted;
    (void)argument;
    sennit_daemon();
    for (;;) {
        sennit_send_tag(receiver, DATA, &number, sizeof number);
        sennit_receive(&wanted, sizeof wanted);
#ifdef FIXED
        number = wanted;
#endif
        wanted = 0;
    }
}

static void obtain(void *argument)
{
    int number, wanted = 0;
    (void)argument;
    sennit_hot(&received);
    while (wanted < 2) {
        sennit_receive(&number, sizeof number);
        wanted += number == wanted;
        sennit_send_tag(sender, AGAIN, &wanted, sizeof wanted);
    }
    sennit_cold(&received);
}

int main(void)
{
    sender = sennit_spawn("sender", transmit, 0);
    receiver = sennit_spawn("receiver", obtain, 0);
    sennit_run();
}

#elif defined TAKE_TURNS

#include <sennit/monitor.h>

SENNIT_OBLIGATION(served, "the third has the token");
static sennit_pid all[3];

static void pass(void *argument)
{
    int me = (int)(long)argument;
    if (me == 0)
        sennit_send(all[0], 0, 0);
    if (me == 2)
        sennit_hot(&served);
    for (;;) {
        sennit_receive(0, 0);
        if (me == 2)
            sennit_cold(&served);
#ifdef FIXED
        sennit_send(all[(me + 1) % 3], 0, 0);
#else
        sennit_send(all[sennit_choose(2) ? (me + 1) % 3 : (me + 2) % 3], 0, 0);
#endif
    }
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        all[i] = sennit_spawn("party", pass, (void *)(long)i);
    sennit_run();
}

#elif defined SERVER

#ifndef CLIENTS
#define CLIENTS 2
#endif

static sennit_pid server;

static void serve(void *argument)
{
    int x;
    (void)argument;
    for (;;) {
        sennit_pid from = sennit_receive(&x, sizeof x);
        x = (x + 1) % 3;
#ifdef WRONG
        sennit_assert(x != 2);
#endif
        sennit_send(from, &x, sizeof x);
    }
}

static void ask(void *argument)
{
    int x = 0;
    (void)argument;
    for (;;) {
        sennit_send(server, &x, sizeof x);
        sennit_receive(&x, sizeof x);
    }
}

int main(void)
{
    server = sennit_spawn("server", serve, 0);
    for (int i = 0; i < CLIENTS; i++)
        sennit_spawn("client", ask, 0);
    sennit_run();
}

#endif
