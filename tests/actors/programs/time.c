/* time.c - the virtual clock of actors: time-outs take time, and messages carry it
 *
 * litmus: -DTIMEOUT -> executions 1
 * litmus: -DMESSAGE -> executions 1
 * litmus: -DCHAIN -> executions 2
 * litmus: -DRUN -> executions 2
 */
#include <assert.h>
#include <sennit/actor.h>
#include <time.h>
#include <unistd.h>

static sennit_pid receiver;
static long slept;

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Its sender slept before the message was sent. */
static void run_receiver(void *argument)
{
    long sent, before = now();
    (void)argument;
#ifdef TIMEOUT
    assert(!sennit_receive_timed(1000, &sent, sizeof sent));
    assert(now() >= before + 1000);
#elif defined CHAIN
    /* What was handled before is past, whoever sent it. */
    long other;
    sennit_receive(&sent, sizeof sent);
    sleep(1);
    long between = now();
    sennit_receive(&other, sizeof other);
    assert(now() >= between && now() >= sent && now() >= other && between >= before + 1000);
#else
    sennit_receive(&sent, sizeof sent);
    assert(now() >= sent && (sent == 0 || sent >= before + 1000));
#endif
}

static void run_sender(void *argument)
{
    (void)argument;
    sleep(3);
    slept = now();
    sennit_send(receiver, &slept, sizeof slept);
}

int main(void)
{
    receiver = sennit_spawn("receiver", run_receiver, NULL);
#ifndef TIMEOUT
    sennit_spawn("sender", run_sender, NULL);
#endif
#if defined CHAIN || defined RUN
    sennit_send(receiver, &(long){0}, sizeof(long));
#endif
    sennit_run();
    assert(now() >= slept);
    return 0;
}
