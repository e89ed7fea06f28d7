/* channels.c - the orders in which four messages reach an actor that receives three
 *
 * litmus: --channels=bag -> executions 24
 * litmus: --channels=fifo -> executions 12
 * litmus: --channels=causal -> executions 6
 * litmus: --channels=mailbox -> executions 6
 *
 * A sends 3 to M, then 5 to B; B on receiving it sends 4 to M; main sends 1, then 2 to M.
 */
#include <sennit/actor.h>

static sennit_pid m, b;

static void run_m(void *argument)
{
    int got;
    (void)argument;
    for (int i = 0; i < 3; i++)
        sennit_receive(&got, sizeof got);
}

static void run_b(void *argument)
{
    int got, four = 4;
    (void)argument;
    sennit_receive(&got, sizeof got);
    sennit_send(m, &four, sizeof four);
}

static void run_a(void *argument)
{
    int three = 3, five = 5;
    (void)argument;
    sennit_send(m, &three, sizeof three);
    sennit_send(b, &five, sizeof five);
}

int main(void)
{
    int one = 1, two = 2;
    m = sennit_spawn("M", run_m, NULL);
    b = sennit_spawn("B", run_b, NULL);
    sennit_spawn("A", run_a, NULL);
    sennit_send(m, &one, sizeof one);
    sennit_send(m, &two, sizeof two);
    sennit_run();
    return 0;
}
