/* selective.c - receives that choose: by sender, tag, predicate, and with a time-out
 *
 * litmus: -DANY -> executions 6
 * litmus: -DTAG -> executions 2
 * litmus: -DFROM -> executions 2
 * litmus: -DIF -> executions 2
 * litmus: -DTIMED -> executions 4
 * litmus: -DSERVE -> executions 6
 *
 * Three senders, tags 1, 2, 3. Who wants a certain one first leaves two orders of the others;
 * a single receive that can time out has four outcomes.
 */
#include <sennit/actor.h>

static sennit_pid receiver, senders[3];

static void send_own(void *argument)
{
    int number = (int)(long)argument;
    sennit_send_tag(receiver, number, &number, sizeof number);
}

static int is_wanted(const void *message, size_t size, const void *argument)
{
    return size == sizeof(int) && *(const int *)message == *(const int *)argument;
}

static void count(sennit_pid from, const void *message, size_t size, void *state)
{
    (void)from, (void)message, (void)size;
    if (++*(int *)state == 3)
        sennit_exit();
}

static void run_receiver(void *argument)
{
    static const sennit_handler handlers[] = {{1, count}, {2, count}, {3, count}, {0, NULL}};
    int got, wanted = 2, seen = 0;
    (void)argument, (void)handlers, (void)seen, (void)wanted;
#if defined ANY
    sennit_receive(&got, sizeof got);
#elif defined TAG
    sennit_receive_tag(wanted, &got, sizeof got);
#elif defined FROM
    sennit_receive_from(senders[1], &got, sizeof got);
#elif defined IF
    sennit_receive_if(is_wanted, &wanted, sizeof wanted, &got, sizeof got);
#elif defined TIMED
    sennit_receive_timed(10, &got, sizeof got);
    return;
#elif defined SERVE
    sennit_serve(handlers, &seen, sizeof got);
#endif
    (void)is_wanted;
    sennit_receive(&got, sizeof got);
    sennit_receive(&got, sizeof got);
}

int main(void)
{
    receiver = sennit_spawn("receiver", run_receiver, NULL);
    for (long i = 0; i < 3; i++)
        senders[i] = sennit_spawn((const char *[]){"a", "b", "c"}[i], send_own, (void *)(i + 1));
    sennit_run();
    return 0;
}
