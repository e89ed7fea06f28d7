/* bounds.c - a limit of Sennit is no bug of the program, and main does not continue as if nothing more could happen
 *
 * litmus: -DRETRY -> executions 24 verdict bounded
 * litmus: -DRETRY --timeouts=5 -> executions 1560 verdict bounded
 * litmus: -DTICK --max-steps=50 -> executions 1 verdict bounded
 * litmus: -DTICK -> executions 1 verdict bounded
 * litmus: -DLOOP --unroll=2 -> executions 1 verdict bounded
 * litmus: -DASSUME -> executions 1
 * litmus: -DSTUCK -> executions 1 verdict bounded
 * litmus: -DSTUCK -DLOCKS -> executions any verdict bounded bugs deadlock
 *
 * RETRY: the server answers the fifth request; the client repeats it until it is answered. TICK: an actor that never
 * ends. LOOP: one that ends after three messages. STUCK: a client whose server may not time out any more; with LOCKS
 * two others block each other, which has nothing to do with that.
 */
#include <assert.h>
#include <pthread.h>
#include <sennit/actor.h>
#include <sennit/sennit.h>

static sennit_pid server, client;
static int done;

#ifdef RETRY
static void run_server(void *argument)
{
    int requests = 0, message;
    (void)argument;
    sennit_daemon();
    for (;;) {
        sennit_pid from = sennit_receive(&message, sizeof message);
        if (++requests >= 5)
            sennit_send(from, &message, sizeof message);
    }
}

static void run_client(void *argument)
{
    int message = 1;
    (void)argument;
    do
        sennit_send(server, &message, sizeof message);
    while (!sennit_receive_timed(10, &message, sizeof message));
    done = 1;
}
#elif defined TICK
static void run_server(void *argument)
{
    int message = 0;
    (void)argument;
    sennit_daemon();
    for (;;) {
        sennit_send(sennit_self(), &message, sizeof message);
        sennit_receive(&message, sizeof message);
    }
}
#elif defined LOOP
static void run_server(void *argument)
{
    int message = 0;
    (void)argument;
    for (int i = 0; i < 3; i++) {
        sennit_send(sennit_self(), &message, sizeof message);
        sennit_receive(&message, sizeof message);
    }
    done = 1;
}
#elif defined ASSUME
static void run_server(void *argument)
{
    int message = 0;
    (void)argument;
    sennit_send(sennit_self(), &message, sizeof message);
    sennit_receive(&message, sizeof message);
    sennit_assume(message == 1);
    done = 1;
}
#elif defined STUCK
static void run_server(void *argument)
{
    int message = 0;
    (void)argument;
    for (int i = 0; i < 5; i++)
        sennit_receive_timed(1, &message, sizeof message);
    sennit_send(client, &message, sizeof message);
}

static void run_client(void *argument)
{
    int message;
    (void)argument;
    sennit_receive(&message, sizeof message);
    done = 1;
}
#endif

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void run_locker(void *argument)
{
    pthread_mutex_lock(argument ? &first : &second);
    pthread_mutex_lock(argument ? &second : &first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
}

int main(void)
{
    server = sennit_spawn("server", run_server, NULL);
#if defined RETRY || defined STUCK
    client = sennit_spawn("client", run_client, NULL);
#endif
#ifdef LOCKS
    sennit_spawn("left", run_locker, &first);
    sennit_spawn("right", run_locker, NULL);
#else
    (void)run_locker, (void)client;
#endif
    sennit_run();
#ifndef TICK
    assert(done);
#endif
    return 0;
}
