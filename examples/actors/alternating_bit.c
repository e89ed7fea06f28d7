/* alternating_bit.c - reliable transfer over a network that loses and duplicates messages
 *
 * litmus: --channels=fifo -> executions 15 verdict bounded
 * litmus: --channels=fifo --lose=1 --duplicate=1 --timeouts=1 -> executions 95 verdict bounded
 * litmus: -DWRONG --channels=fifo --timeouts=0 -> executions 1 verdict bounded
 * litmus: -DWRONG --channels=fifo --duplicate=1 --timeouts=0 -> executions 5 verdict bounded bugs assertion
 *
 * The sender repeats a value until it is acknowledged; an alternating bit distinguishes a
 * repetition from a new value. The wrong version ignores the bit: it takes a message that the
 * network duplicated for a new value. Without a fault there is no bug.
 */
#include <assert.h>
#include <sennit/actor.h>

enum { VALUES = 2 };

typedef struct Packet {
    int bit, value;
} Packet;
SENNIT_MSG(Packet, SENNIT_FIELD(Packet, bit), SENNIT_FIELD(Packet, value));

static sennit_pid sender, receiver;
static int arrived[VALUES], count;

static void run_sender(void *argument)
{
    (void)argument;
    for (int i = 0; i < VALUES; i++) {
        Packet packet = {i % 2, 10 + i}, answer = {-1, 0};
        sennit_send(receiver, &packet, sizeof packet);
        while (answer.bit != packet.bit)
            if (!sennit_receive_timed(100, &answer, sizeof answer))
                sennit_send(receiver, &packet, sizeof packet);
    }
}

static void run_receiver(void *argument)
{
    int expected = 0;
    (void)argument;
    sennit_daemon();
    for (;;) {
        Packet packet;
        sennit_receive(&packet, sizeof packet);
#ifndef WRONG
        if (packet.bit == expected)
#endif
        {
            assert(count < VALUES && packet.value == 10 + count);
            arrived[count++] = packet.value;
            expected = 1 - expected;
        }
        sennit_send(sender, &packet, sizeof packet);
    }
}

int main(void)
{
    sender = sennit_spawn("sender", run_sender, 0);
    receiver = sennit_spawn("receiver", run_receiver, 0);
    sennit_run();
    return 0;
}
