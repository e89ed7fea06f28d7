/* timers.c - timers of actors: several at once, started again, cancelled
 *
 * litmus: -DTWO -> executions 2
 * litmus: -DTWO --timeouts=1 -> executions 2 verdict bounded
 * litmus: -DAGAIN -> executions 1
 * litmus: -DCANCEL -> executions 2
 * litmus: -DCANCEL -DWRONG -> executions 2 bugs assertion
 * litmus: -DCLOCK -> executions 1
 * litmus: -DSELECT -> executions 1
 * litmus: -DOUTSIDE -> executions any bugs message-misuse
 *
 * TWO timers run out in both orders. AGAIN: one that is started twice runs out once. CANCEL: a request is answered or
 * runs into its time limit; its answer cancels the limit, unless the program is wrong. CLOCK: a timer that runs out
 * shows in the clock. SELECT: a receive for a message leaves a timer waiting.
 */
#include <assert.h>
#include <sennit/actor.h>
#include <time.h>

enum { FIRST, SECOND, LIMIT, REQUEST, ANSWER };

static sennit_pid server;

static void run_server(void *argument)
{
    (void)argument;
    sennit_daemon();
    sennit_send_tag(sennit_receive(0, 0), ANSWER, 0, 0);
}

static void run(void *argument)
{
    char nothing;
    (void)argument;
#ifdef TWO
    sennit_timer(FIRST, 10);
    sennit_timer(SECOND, 20);
    sennit_receive(&nothing, 0);
    sennit_receive(&nothing, 0);
#elif defined AGAIN
    sennit_daemon();
    sennit_timer(FIRST, 10);
    sennit_timer(FIRST, 20);
    assert(sennit_receive_tag(FIRST, &nothing, 0) == sennit_self());
    assert(sennit_message_size() == 0 && sennit_message_tag() == FIRST);
    sennit_receive(&nothing, 0);
    assert(0);
#elif defined CANCEL
    sennit_daemon();
    sennit_timer(LIMIT, 100);
    sennit_send_tag(server, REQUEST, 0, 0);
    sennit_receive(&nothing, 0);
    int first = sennit_message_tag();
#ifndef WRONG
    sennit_timer_cancel(LIMIT);
#endif
    sennit_receive(&nothing, 0);
    assert(first == LIMIT && sennit_message_tag() == ANSWER);
#elif defined CLOCK
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    sennit_timer(FIRST, 5000);
    sennit_receive(&nothing, 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec - before.tv_sec >= 5 && after.tv_sec - before.tv_sec <= 6);
#elif defined SELECT
    sennit_timer(FIRST, 0);
    sennit_send_tag(server, REQUEST, 0, 0);
    sennit_receive_tag(ANSWER, &nothing, 0);
    sennit_receive(&nothing, 0);
    assert(sennit_message_tag() == FIRST);
#endif
    (void)nothing;
}

int main(void)
{
    server = sennit_spawn("server", run_server, 0);
    sennit_spawn("client", run, 0);
#ifdef OUTSIDE
    sennit_timer(FIRST, 1);
#endif
    sennit_run();
    return 0;
}
