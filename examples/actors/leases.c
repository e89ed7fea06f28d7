/* leases.c - a lease that ends by clocks which differ
 *
 * litmus: -O2 --reduction=states -> states 29682
 * litmus: -DWRONG -O2 --reduction=states -> states 5475 bugs assertion
 * litmus long: -DGREEDY -O2 --reduction=states -> states 23436 bugs liveness
 *
 * A lessor gives a lease for some ticks to one client at a time. Nobody returns it: it ends by the clocks, and the
 * clock of a client is at most a tick behind that of the lessor. The holder counts from when it has asked, and stops
 * a tick early. The wrong version counts from when the answer comes: the lessor gives the lease to the next one
 * while it is still used. GREEDY: the holder may renew while another one waits. No two clients use the lease at a
 * time, and each that asks gets it.
 */
#include <sennit/actor.h>
#include <sennit/monitor.h>
#include <sennit/sennit.h>

enum { LESSOR, FIRST, SECOND, ALL, LENGTH = 2 };
enum { ASK = 1, LEASE, TICK };

static sennit_pid pids[ALL];
static int uses[ALL]; /* of observers */
sennit_never(two_holders, uses[FIRST] && uses[SECOND]);
SENNIT_OBLIGATION(leased, "who asks gets the lease");

static void tell(int to, int tag) { sennit_send_tag(pids[to], tag, NULL, 0); }
static int number_of(sennit_pid pid) { return pid == pids[FIRST] ? FIRST : SECOND; }

static void lend(int to, int *holder, int *left)
{
    *holder = to;
    *left = LENGTH;
    tell(to, LEASE);
}

static void ask(int who, int *holder, int *left, int *waits)
{
#ifdef GREEDY
    if (who == *holder || !*holder)
#else
    if (!*holder)
#endif
        lend(who, holder, left);
    else
        waits[waits[0] != 0] = who;
}

/* A tick begins with its clock; the next one when it has come to all. */
static void run_lessor(void *unused)
{
    int holder = 0, left = 0, waits[2] = {0, 0};
    (void)unused;
    for (;;) {
        if (left && --left == 0)
            holder = 0;
        if (!holder && waits[0]) {
            lend(waits[0], &holder, &left);
            waits[0] = waits[1];
            waits[1] = 0;
        }
        tell(FIRST, TICK);
        tell(SECOND, TICK);
        for (int ticked = 0; ticked < 2;) {
            int who = number_of(sennit_receive(NULL, 0));
            if (sennit_message_tag() == TICK)
                ticked++;
            else
                ask(who, &holder, &left, waits);
        }
    }
}

static void run_client(void *argument)
{
    int me = (int)(size_t)argument, asked = 0, age = 0, left = 0;
    for (;;) {
        if (!asked && !left) {
            if (me == FIRST)
                sennit_hot(&leased);
            tell(LESSOR, ASK);
            asked = 1;
            age = 0;
        }
        sennit_receive(NULL, 0);
        if (sennit_message_tag() == TICK) {
            age += age < LENGTH;
            if (left && --left == 0)
                sennit_observe(uses[me] = 0);
            tell(LESSOR, TICK);
            continue;
        }
        asked = 0;
#ifdef WRONG
        left = LENGTH;
#else
        left = LENGTH - 1 - age;
        if (left < 0)
            left = 0;
#endif
        if (me == FIRST)
            sennit_cold(&leased);
        if (left)
            sennit_observe(uses[me] = 1);
    }
}

int main(void)
{
    pids[LESSOR] = sennit_spawn("lessor", run_lessor, NULL);
    pids[FIRST] = sennit_spawn("first", run_client, (void *)(size_t)FIRST);
    pids[SECOND] = sennit_spawn("second", run_client, (void *)(size_t)SECOND);
    sennit_run();
}
