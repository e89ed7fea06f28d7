/* actors.c - two senders, one of which sends equal messages */
#include <stdatomic.h>
#include <sennit/actor.h>

static sennit_pid server;

static void serve(void *argument)
{
    int number;
    (void)argument;
    sennit_daemon();
    for (;;)
        sennit_receive(&number, sizeof number);
}

static void send_twice(void *argument)
{
    const int *number = argument;
    for (int i = 0; i < 2; i++)
        sennit_send(server, number, sizeof *number);
}

static atomic_int exchanged;

int main(void)
{
    static int one = 1, two = 2;
    int none = 0;
    atomic_compare_exchange_weak(&exchanged, &none, 1);
    server = sennit_spawn("server", serve, 0);
    sennit_spawn("first", send_twice, &one);
    sennit_spawn("second", send_twice, &two);
    return sennit_run();
}
