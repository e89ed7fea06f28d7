/* symmetry.c - messages that nobody can tell apart
 *
 * litmus: -> executions 24
 * litmus: --symmetry -> executions 1
 * litmus: -DOTHER -> executions 24
 * litmus: -DOTHER --symmetry -> executions 4
 * litmus: -DSENDERS -> executions 24
 * litmus: -DSENDERS --symmetry -> executions 6
 * litmus: -DINPUT --symmetry -> executions 24
 *
 * Four equal messages of one sender arrive in 4! orders; with --symmetry in the order of their
 * sending alone. If one differs its place among the others counts. Equal messages of two
 * senders, two each, are told apart by who sent them: 4! / (2! 2!). Messages with inputs inside
 * are never taken for equal.
 */
#include <assert.h>
#include <sennit/actor.h>
#include <sennit/sennit.h>

static sennit_pid sink;

static void receive_all(void *argument)
{
    int number;
    (void)argument;
    for (int i = 0; i < 4; i++)
        sennit_receive(&number, sizeof number);
}

static void send_some(void *argument)
{
    int number = 7;
    for (long i = 0; i < (long)argument; i++) {
#ifdef OTHER
        number = 7 + (i == 2);
#elif defined INPUT
        number = sennit_int("number");
#endif
        sennit_send(sink, &number, sizeof number);
    }
}

int main(void)
{
    sink = sennit_spawn("sink", receive_all, NULL);
#ifdef SENDERS
    sennit_spawn("a", send_some, (void *)2);
    sennit_spawn("b", send_some, (void *)2);
#else
    sennit_spawn("a", send_some, (void *)4);
#endif
    sennit_run();
    return 0;
}
