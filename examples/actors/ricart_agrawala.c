/* ricart_agrawala.c - mutual exclusion by logical clocks (Ricart and Agrawala)
 *
 * litmus: -O2 --reduction=states -> states 1861
 * litmus: -DWRONG -DPROCESSES=2 -> executions 8 bugs assertion
 * litmus: -DPUT_OFF -O2 --reduction=states -> states 66 bugs liveness
 *
 * Who wants to enter asks all others, with the time of its clock, and enters when all have answered. Who has asked
 * earlier puts the answer off until it leaves; equal times are ordered by the numbers of the processes. The wrong
 * version answers those who have asked at the same time, too: two are inside. PUT_OFF does not, whoever it is: they
 * wait for each other. At no time there are two inside, and each that asks enters.
 */
#include <string.h>

#include <sennit/actor.h>
#include <sennit/monitor.h>

#ifndef PROCESSES
enum { PROCESSES = 3 };
#endif
enum { ASK, ANSWER };

typedef struct Request {
    int time, process;
} Request;
SENNIT_MSG_TAG(Request, ASK, SENNIT_FIELD(Request, time), SENNIT_FIELD(Request, process));

static sennit_pid pids[PROCESSES];
static int inside, entered; /* of observers */
sennit_always(exclusion, inside <= 1);
sennit_eventually(all_enter, entered == PROCESSES);

/* Does its own request come before the other one? */
static int comes_first(Request mine, Request other)
{
#if defined WRONG
    return mine.time < other.time;
#elif defined PUT_OFF
    return mine.time <= other.time;
#else
    return mine.time < other.time || (mine.time == other.time && mine.process < other.process);
#endif
}

static void answer(int process)
{
    int nothing = 0;
    sennit_send_tag(pids[process], ANSWER, &nothing, sizeof nothing);
}

static void run_process(void *argument)
{
    int me = (int)(size_t)argument, clock = 1, answers = 0, done = 0;
    int put_off[PROCESSES] = {0};
    Request mine = {clock, me}, other;
    sennit_daemon();
    for (int i = 0; i < PROCESSES; i++)
        if (i != me)
            sennit_send_tag(pids[i], ASK, &mine, sizeof mine);
    for (;;) {
        memset(&other, 0, sizeof other);
        sennit_receive(&other, sizeof other);
        if (sennit_message_tag() == ASK) {
            clock = (other.time > clock ? other.time : clock) + 1;
            if (!done && comes_first(mine, other))
                put_off[other.process] = 1;
            else
                answer(other.process);
        } else if (++answers == PROCESSES - 1) {
            sennit_observe(inside++, entered++);
            sennit_observe(inside--);
            done = 1;
            for (int i = 0; i < PROCESSES; i++)
                if (put_off[i])
                    answer(i);
        }
    }
}

int main(void)
{
    static const char *const names[] = {"p0", "p1", "p2"};
    for (int i = 0; i < PROCESSES; i++)
        pids[i] = sennit_spawn(names[i], run_process, (void *)(size_t)i);
    sennit_run();
}
