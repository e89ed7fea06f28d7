/* unmet.c - protocols of actors in which something never happens, and their repairs
 *
 * litmus: -DNEWEST -O2 --reduction=states -> states 15 bugs liveness
 * litmus: -DNEWEST -DFIXED -O2 --reduction=states -> states 20
 * litmus: -DELECTION -O2 --reduction=states -> states 40 bugs liveness
 * litmus: -DELECTION -DFIXED -O2 --reduction=states -> states 13
 * litmus: -DDEFER -O2 --reduction=states -> states 7 bugs liveness
 * litmus: -DDEFER -DFIXED -O2 --reduction=states -> states 15
 * litmus: -DLEASE -O2 --reduction=states -> states 31 bugs liveness
 * litmus: -DLEASE -DFIXED -O2 --reduction=states -> states 64
 * litmus: -DLOST -O2 --reduction=states -> states 22 bugs liveness
 * litmus: -DLOST -DFIXED -O2 --reduction=states -> states 19
 * litmus: -DAFTER_YOU -O2 --reduction=states -> states 7 bugs liveness
 * litmus: -DAFTER_YOU -DFIXED -O2 --reduction=states -> states 6
 *
 * NEWEST: a server answers the newest request first; repaired: the oldest. ELECTION: two candidates with equal
 * ballots change them both, for ever; repaired: one of them does. DEFER: two who want to enter wait for the answer
 * that each has put off; repaired: the smaller number goes first. LEASE: who has it renews it for ever; repaired:
 * not while another one waits. LOST: an update was lost, and its sender believes that it has arrived; repaired: it
 * sends what it is asked for. AFTER_YOU: each lets the other one go first; repaired by their numbers.
 */
#include <stddef.h>

#include <sennit/actor.h>
#include <sennit/monitor.h>

enum { ASK = 1, ANSWER, RENEW, NOTHING, UPDATE, GO };

SENNIT_OBLIGATION(met, "what is asked for");
static sennit_pid pids[3];

static void start(int number, const char *name, void (*body)(void *))
{
    pids[number] = sennit_spawn(name, body, (void *)(size_t)number);
}

static void send(int to, int tag) { sennit_send_tag(pids[to], tag, NULL, 0); }
static int number_of(sennit_pid pid) { return pid == pids[1] ? 1 : pid == pids[2] ? 2 : 0; }

#if defined NEWEST

static void server(void *unused)
{
    (void)unused;
    int kept = number_of(sennit_receive(NULL, 0));
    for (;;) {
        int newest = number_of(sennit_receive(NULL, 0));
#ifdef FIXED
        send(kept, ANSWER);
        kept = newest;
#else
        send(newest, ANSWER);
#endif
    }
}

static void client(void *argument)
{
    int me = (int)(size_t)argument;
    for (;;) {
        if (me == 1)
            sennit_hot(&met);
        send(0, ASK);
        sennit_receive(NULL, 0);
        if (me == 1)
            sennit_cold(&met);
    }
}

int main(void)
{
    start(0, "server", server), start(1, "first", client), start(2, "second", client);
    sennit_run();
}

#elif defined ELECTION

static void candidate(void *argument)
{
    int me = (int)(size_t)argument, ballot = 0, rival;
    if (me == 0)
        sennit_hot(&met);
    sennit_daemon();
    sennit_send(pids[1 - me], &ballot, sizeof ballot);
    for (;;) {
        sennit_receive(&rival, sizeof rival);
        if (rival != ballot) {
            sennit_cold(&met);
            continue;
        }
#ifdef FIXED
        if (me == 1)
            continue;
#endif
        ballot = !ballot;
        sennit_send(pids[1 - me], &ballot, sizeof ballot);
    }
}

int main(void)
{
    start(0, "first", candidate), start(1, "second", candidate);
    sennit_run();
}

#elif defined DEFER

static void enter(void *argument)
{
    int me = (int)(size_t)argument, inside = 0, deferred = 0;
    if (me == 0)
        sennit_hot(&met);
    sennit_daemon();
    send(1 - me, ASK);
    for (;;) {
        sennit_receive(NULL, 0);
        if (sennit_message_tag() == ANSWER) {
            inside = 1;
            if (me == 0)
                sennit_cold(&met);
            if (deferred)
                send(1 - me, ANSWER);
#ifdef FIXED
        } else if (inside || me == 1) {
#else
        } else if (inside) {
#endif
            send(1 - me, ANSWER);
        } else {
            deferred = 1;
        }
    }
}

int main(void)
{
    start(0, "first", enter), start(1, "second", enter);
    sennit_run();
}

#elif defined LEASE

static void lessor(void *unused)
{
    (void)unused;
    int waits = 0, has = 0;
    for (;;) {
        int from = number_of(sennit_receive(NULL, 0));
        int asks = sennit_message_tag() == ASK;
#ifdef FIXED
        int renews = !asks && !waits;
#else
        int renews = !asks;
#endif
        if (asks && has) {
            waits = from;
        } else if (asks || renews) {
            has = from;
            send(has, ANSWER);
        } else {
            send(from, NOTHING);
            has = waits;
            waits = 0;
            send(has, ANSWER);
        }
    }
}

static void lessee(void *argument)
{
    int me = (int)(size_t)argument;
    for (;;) {
        if (me == 1)
            sennit_hot(&met);
        send(0, ASK);
        do {
            sennit_receive(NULL, 0);
            if (sennit_message_tag() == ANSWER) {
                if (me == 1)
                    sennit_cold(&met);
                send(0, RENEW);
            }
        } while (sennit_message_tag() == ANSWER);
    }
}

int main(void)
{
    start(0, "lessor", lessor), start(1, "first", lessee), start(2, "second", lessee);
    sennit_run();
}

#elif defined LOST

static void primary(void *unused)
{
    (void)unused;
    send(1, UPDATE);
    for (;;) {
        sennit_receive(NULL, 0);
#ifdef FIXED
        send(1, UPDATE);
#else
        send(1, NOTHING);
#endif
    }
}

static void backup(void *unused)
{
    (void)unused;
    sennit_hot(&met);
    for (;;) {
        send(0, ASK);
        sennit_receive(NULL, 0);
        if (sennit_message_tag() == UPDATE)
            sennit_cold(&met);
    }
}

int main(void)
{
    start(0, "primary", primary), start(1, "backup", backup);
    sennit_lose(pids[0], pids[1], UPDATE, 1);
    sennit_run();
}

#else /* AFTER_YOU */

static void polite(void *argument)
{
    int me = (int)(size_t)argument;
    if (me == 0) {
        sennit_hot(&met);
        send(1, GO);
    }
    sennit_daemon();
    for (;;) {
        sennit_receive(NULL, 0);
#ifdef FIXED
        if (me == 1) {
            sennit_cold(&met);
            continue;
        }
#endif
        send(1 - me, GO);
    }
}

int main(void)
{
    start(0, "first", polite), start(1, "second", polite);
    sennit_run();
}

#endif
