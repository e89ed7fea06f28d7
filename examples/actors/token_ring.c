/* token_ring.c - the process with the token may enter; it is passed round a ring
 *
 * litmus: -> executions 1
 * litmus: -DWRONG -> executions 3 bugs assertion
 * litmus: --lose=1 -> executions 3 bugs deadlock
 *
 * Being inside takes time: a process that entered gets a message from itself when its work is
 * done, leaves, and passes the token on. The wrong version passes it on as soon as it has entered.
 * Both need a network that loses nothing: if the token is lost all wait forever.
 */
#include <assert.h>
#include <sennit/actor.h>
#include <stdatomic.h>

enum { PROCESSES = 3 };
enum { TOKEN, DONE };

static sennit_pid pids[PROCESSES];
static atomic_int inside;

static void pass_on(int self)
{
    if (self + 1 < PROCESSES)
        sennit_send_tag(pids[self + 1], TOKEN, "", 0);
}

static void run_process(void *argument)
{
    int self = (int)(long)argument;
    char nothing;
    if (self != 0)
        sennit_receive_tag(TOKEN, &nothing, sizeof nothing);
    assert(atomic_fetch_add(&inside, 1) == 0);
    sennit_send_tag(sennit_self(), DONE, "", 0);
#ifdef WRONG
    pass_on(self);
#endif
    sennit_receive_tag(DONE, &nothing, sizeof nothing);
    atomic_fetch_sub(&inside, 1);
#ifndef WRONG
    pass_on(self);
#endif
}

int main(void)
{
    static const char *const names[] = {"p0", "p1", "p2"};
    for (long i = 0; i < PROCESSES; i++)
        pids[i] = sennit_spawn(names[i], run_process, (void *)i);
    sennit_run();
    return 0;
}
