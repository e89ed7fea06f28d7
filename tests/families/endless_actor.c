/* endless_actor.c - an actor that never ends */
#include <sennit/actor.h>
static sennit_pid a, b;
static void fa(void *x)
{
    int m = 0;
    sennit_daemon();
    for (;;) {
        sennit_send(sennit_self(), &m, sizeof m);
        sennit_receive(&m, sizeof m);
    }
}
int main()
{
    a = sennit_spawn("a", fa, 0);
}
