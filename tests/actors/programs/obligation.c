/* obligation.c - a server that forgets a request waits for messages with an obligation that is hot
 *
 * litmus: -> executions 2 bugs liveness
 * litmus: -DFIXED -> executions 2
 * litmus: -DFIXED --lose=1 -> executions 2
 * litmus: -DFIXED -DLOSSY -> executions 4 bugs liveness
 *
 * The server answers a request only if it has been told its own name before; the name may come later. A message of
 * main that is lost (LOSSY) leaves the obligation hot, too.
 */
#include <stddef.h>

#include <sennit/actor.h>
#include <sennit/monitor.h>

enum { NAME = 1, REQUEST };

SENNIT_OBLIGATION(answered, "every request is answered");

static void server(void *unused)
{
    (void)unused;
    int named = 0, waiting = 0;
    sennit_daemon();
    for (;;) {
        sennit_receive(NULL, 0);
        if (sennit_message_tag() == NAME)
            named = 1;
        else
            waiting = 1;
#ifdef FIXED
        if (named && waiting)
#else
        if (named && sennit_message_tag() == REQUEST)
#endif
            sennit_cold(&answered);
    }
}

int main(void)
{
    sennit_pid to = sennit_spawn("server", server, NULL);
#ifdef LOSSY
    sennit_lose(sennit_self(), 0, SENNIT_ANY_TAG, 1);
#endif
    sennit_hot(&answered);
    sennit_send_tag(to, NAME, NULL, 0);
    sennit_send_tag(to, REQUEST, NULL, 0);
    sennit_run();
    return 0;
}
