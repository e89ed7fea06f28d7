/* retry.c - a client that repeats its request until it is answered; main asserts that it was (-DNOTHING: it does not) */
#include <assert.h>
#include <sennit/actor.h>
static sennit_pid s, c;
static int done;
static void srv(void *a)
{
    int n = 0, m;
    sennit_daemon();
    for (;;) {
        sennit_pid f = sennit_receive(&m, sizeof m);
        if (++n >= 5)
            sennit_send(f, &m, sizeof m);
    }
}
static void cli(void *a)
{
    int m = 1;
    do
        sennit_send(s, &m, sizeof m);
    while (!sennit_receive_timed(10, &m, sizeof m));
    done = 1;
}
int main()
{
    s = sennit_spawn("srv", srv, 0);
    c = sennit_spawn("cli", cli, 0);
    sennit_run();
#ifndef NOTHING
    assert(done);
#endif
}
