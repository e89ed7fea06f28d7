/* primary_backup.c - a primary that keeps a backup, until it is cut off
 *
 * litmus: -> executions 31
 * litmus: -DWRONG -> executions 274 bugs assertion
 * litmus: -DSILENT -> executions 25 bugs deadlock,liveness
 *
 * A client writes values one after the other and waits for an answer. The primary answers when the backup has the
 * value. If it is cut off, as by a crash, the backup takes over, and the client asks it again. The wrong version
 * answers at once and tells the backup then: if it is cut off in between, a value that was answered is lost. SILENT:
 * the backup does not answer a value that it has got from the primary before. What is answered stays, and everything
 * is answered.
 */
#include <sennit/actor.h>
#include <sennit/monitor.h>
#include <sennit/sennit.h>

enum { VALUES = 2 };
enum { WRITE = 1, COPY, COPIED, ANSWER, TAKE_OVER };

static sennit_pid client, primary, backup, detector;
static int answered, kept; /* of observers */
sennit_always(nothing_lost, kept >= answered);
SENNIT_OBLIGATION(served, "every write is answered");

static void send(sennit_pid to, int tag, int value) { sennit_send_tag(to, tag, &value, sizeof value); }

static void run_primary(void *unused)
{
    int value;
    (void)unused;
    sennit_daemon();
    for (;;) {
        sennit_pid from = sennit_receive_tag(WRITE, &value, sizeof value);
#ifdef WRONG
        send(from, ANSWER, value);
        send(backup, COPY, value);
#else
        send(backup, COPY, value);
        int copied;
        sennit_receive_tag(COPIED, &copied, sizeof copied);
        send(from, ANSWER, value);
#endif
    }
}

static void run_backup(void *unused)
{
    int value, has = 0, leads = 0;
    (void)unused;
    sennit_daemon();
    for (;;) {
        sennit_pid from = sennit_receive(&value, sizeof value);
        int tag = sennit_message_tag();
        if (tag == TAKE_OVER) {
            leads = 1;
            sennit_observe(kept = has); /* from now on only what it has counts */
            send(client, TAKE_OVER, 0);
            continue;
        }
        int is_new = value > has;
        if (is_new)
            has = value;
        if (leads)
            sennit_observe(kept = has);
        if (tag == COPY)
            send(primary, COPIED, value);
#ifdef SILENT
        else if (is_new)
#else
        else
#endif
            send(from, ANSWER, value);
    }
}

static void run_client(void *unused)
{
    sennit_pid server = primary;
    (void)unused;
    for (int value = 1; value <= VALUES; value++) {
        int reply = 0;
        sennit_hot(&served);
        send(server, WRITE, value);
        do {
            sennit_receive(&reply, sizeof reply);
            if (sennit_message_tag() == TAKE_OVER) {
                server = backup;
                send(server, WRITE, value);
            }
        } while (reply != value);
        sennit_observe(answered = value);
        sennit_cold(&served);
    }
}

/* Knows for sure that the primary is gone: it has cut it off itself. */
static void run_detector(void *unused)
{
    (void)unused;
    sennit_cut(client, primary);
    sennit_cut(primary, backup);
    send(backup, TAKE_OVER, 0);
}

int main(void)
{
    kept = VALUES;
    primary = sennit_spawn("primary", run_primary, NULL);
    backup = sennit_spawn("backup", run_backup, NULL);
    client = sennit_spawn("client", run_client, NULL);
    detector = sennit_spawn("detector", run_detector, NULL);
    sennit_link(client, primary);
    sennit_link(primary, backup);
    sennit_run();
}
