/* section.c - actors that meet in atomic sections
 *
 * litmus: -> executions 2 bugs assertion
 * litmus: --reduction=none -> executions any bugs assertion
 *
 * The server may be asked and answer before the client counts its request.
 */
#include <assert.h>
#include <sennit/actor.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static int requests, answers;
static sennit_pid server_pid;

static void server(void *unused)
{
    int number;
    (void)unused;
    sennit_receive(&number, sizeof number);
    __VERIFIER_atomic_begin();
    answers++;
    assert(answers <= requests);
    __VERIFIER_atomic_end();
}

static void client(void *unused)
{
    int number = 1;
    (void)unused;
    sennit_send(server_pid, &number, sizeof number);
    __VERIFIER_atomic_begin();
    requests++;
    __VERIFIER_atomic_end();
}

int main(void)
{
    server_pid = sennit_spawn("server", server, 0);
    sennit_spawn("client", client, 0);
    sennit_run();
}
