/* actors.c - an actor's path depends on the number that main sends it, with -DRETRY also on its time-outs */
#include <sennit/actor.h>
#include <sennit/sennit.h>
#include <stdio.h>

typedef struct Order {
    int amount;
} Order;

SENNIT_MSG(Order, SENNIT_FIELD(Order, amount));

static int answer;

static void serve(void *argument)
{
    Order order;
    (void)argument;
#ifdef RETRY
    while (!sennit_receive_timed(1, &order, sizeof order))
        continue;
#else
    sennit_receive(&order, sizeof order);
#endif
    answer = order.amount < 0 ? 3 : order.amount > 100 ? 2 : 1;
}

int main(void)
{
    sennit_pid server = sennit_spawn("server", serve, NULL);
    Order order = {.amount = sennit_int("amount")};
#ifndef RETRY
    sennit_send(server, &order, sizeof order);
    sennit_run();
    printf("answer %d\n", answer);
    return answer == 3;
#else
    sennit_assume(order.amount == 7);
    sennit_send(server, &order, sizeof order);
    sennit_run();
    return answer != 1;
#endif
}
