/* misuse.c - bad use of messages is reported where it happens
 *
 * litmus: -DOUTSIDE -> executions 1 bugs message-misuse
 * litmus: -DNOBODY -> executions 1 bugs message-misuse
 * litmus: -DTO_MAIN -> executions 1 bugs message-misuse
 * litmus: -DTOO_LARGE -> executions 1 bugs message-misuse
 * litmus: -DNEGATIVE -> executions 1 bugs message-misuse
 * litmus: -DNEGATIVE_BUFFER -> executions 1 bugs message-misuse
 * litmus: -DTWICE -> executions 1
 * litmus: -DMANY -> executions 1 verdict bounded
 * litmus: -DNO_HANDLER -> executions 1 bugs message-misuse
 * litmus: -DNESTED -> executions 1 bugs message-misuse
 * litmus: -DENDED -> executions 1
 */
#include <sennit/actor.h>

static void handle(sennit_pid from, const void *message, size_t size, void *state)
{
    (void)from, (void)message, (void)size, (void)state;
    sennit_exit();
}

static void run(void *argument)
{
    static const sennit_handler handlers[] = {{1, handle}, {0, NULL}};
    char buffer[4];
    (void)argument;
#ifdef NO_HANDLER
    sennit_serve(handlers, NULL, sizeof buffer);
#elif defined NESTED
    sennit_run();
#elif defined NEGATIVE_BUFFER
    sennit_receive(buffer, (size_t)-4);
#elif defined TOO_LARGE || defined TWICE
    sennit_receive(buffer, sizeof buffer);
#else
    (void)handlers, (void)buffer;
#endif
}

int main(void)
{
    sennit_pid a = sennit_spawn("A", run, NULL);
    char message[8] = "hello";
#ifdef OUTSIDE
    sennit_receive(message, sizeof message);
#elif defined NOBODY
    sennit_send(a + 77, message, sizeof message);
#elif defined TO_MAIN
    sennit_send(sennit_self(), message, sizeof message);
#elif defined NEGATIVE
    sennit_send(a, message, (size_t)-1);
#elif defined TWICE
    sennit_run();
    sennit_send(a, message, 4);
#elif defined MANY
    for (int i = 0; i < 5000; i++)
        sennit_send(a, message, 1);
#elif defined NO_HANDLER
    sennit_send_tag(a, 2, message, 4);
#elif !defined NESTED
    sennit_send(a, message, sizeof message);
#endif
    sennit_run();
    return 0;
}
