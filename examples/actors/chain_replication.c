/* chain_replication.c - writes along a chain of servers, reads at its end
 *
 * litmus: -O2 --channels=fifo --reduction=states -> states 2705
 * litmus: -DWRONG -O2 --channels=fifo --reduction=states -> states 860 bugs deadlock,liveness
 * litmus: -DEARLY -DVALUES=1 -O2 --channels=fifo --reduction=states -> states 530 bugs assertion
 *
 * A client sends its writes to the head; each server passes them on, and the tail answers (van Renesse and
 * Schneider). The master may take the middle server out of the chain, which is cut off then. The head sends what has
 * not been acknowledged to its new successor again. The wrong version does not: a write that was on its way is never
 * answered. EARLY: the head answers itself, before the tail has the value. What was answered can be read at the
 * tail, and every write is answered.
 */
#include <sennit/actor.h>
#include <sennit/monitor.h>

#ifndef VALUES
enum { VALUES = 2 };
#endif
enum { WRITE = 1, ACKNOWLEDGE, ANSWER, NEXT };

static sennit_pid client, head, middle, tail, master;
static int answered, stored; /* of observers */
sennit_always(read_your_writes, stored >= answered);
SENNIT_OBLIGATION(served, "every write is answered");

static void send(sennit_pid to, int tag, int value) { sennit_send_tag(to, tag, &value, sizeof value); }

static void run_head(void *unused)
{
    int value, has = 0, acknowledged = 0;
    sennit_pid next = middle;
    (void)unused;
    sennit_daemon();
    for (;;) {
        sennit_receive(&value, sizeof value);
        switch (sennit_message_tag()) {
        case WRITE:
            has = value;
            send(next, WRITE, value);
#ifdef EARLY
            send(client, ANSWER, value);
#endif
            break;
        case ACKNOWLEDGE:
            if (value > acknowledged)
                acknowledged = value;
            break;
        default:
            next = tail;
#ifndef WRONG
            for (int old = acknowledged + 1; old <= has; old++)
                send(next, WRITE, old);
#endif
        }
    }
}

static void run_middle(void *unused)
{
    int value;
    (void)unused;
    sennit_daemon();
    for (;;) {
        sennit_receive(&value, sizeof value);
        if (sennit_message_tag() == WRITE)
            send(tail, WRITE, value);
        else
            send(head, ACKNOWLEDGE, value);
    }
}

static void run_tail(void *unused)
{
    int value, has = 0;
    (void)unused;
    sennit_daemon();
    for (;;) {
        sennit_pid from = sennit_receive(&value, sizeof value);
        if (value > has) {
            has = value;
            sennit_observe(stored = value);
        }
        send(from, ACKNOWLEDGE, value);
        send(client, ANSWER, value);
    }
}

static void run_client(void *unused)
{
    (void)unused;
    for (int value = 1; value <= VALUES; value++) {
        int reply;
        sennit_hot(&served);
        send(head, WRITE, value);
        do
            sennit_receive(&reply, sizeof reply);
        while (reply < value);
        sennit_observe(answered = value);
        sennit_cold(&served);
    }
}

static void run_master(void *unused)
{
    (void)unused;
    sennit_cut(head, middle);
    sennit_cut(middle, tail);
    send(head, NEXT, 0);
}

int main(void)
{
    head = sennit_spawn("head", run_head, NULL);
    middle = sennit_spawn("middle", run_middle, NULL);
    tail = sennit_spawn("tail", run_tail, NULL);
    client = sennit_spawn("client", run_client, NULL);
    master = sennit_spawn("master", run_master, NULL);
    sennit_link(head, middle);
    sennit_link(middle, tail);
    sennit_run();
}
