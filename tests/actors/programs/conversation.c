/* conversation.c - broadcasts, quorums, calls
 *
 * litmus: -DPART=0 -> executions 2
 * litmus: -DPART=0 --channels=causal -> executions 1
 * litmus: -DPART=0 --channels=causal -DSEPARATE -> executions 2
 * litmus: -DPART=0 --channels=causal --lose=1 -> executions 4
 * litmus: -DPART=0 --channels=causal --duplicate=1 -> executions 4
 * litmus: -DPART=1 -> executions 2
 * litmus: -DPART=1 -DSEPARATE -> executions 3
 * litmus: -DPART=2 -> executions 6
 * litmus: -DPART=2 --duplicate=1 -> executions 72
 * litmus: -DPART=3 -> executions 1
 * litmus: -DPART=4 -> executions 2 bugs assertion
 *
 * 0: one tells two others, of whom one tells the other. In causal channels that comes second, since who knows of one
 * message of a broadcast knows of all; if they are sent one by one, it need not. With a loss: none, the broadcast's to
 * one or the other, or what is told on. 1: who may crash has told both or none; one by one, also one of them. 2: the
 * first two different ones of three answers, in each order; a doubled answer counts once (14 ways for each question that
 * is doubled, 8 for each answer). 3: a call gets its answer,
 * not what else was sent. 4: a quorum that waits with a time-out gets none or one answer.
 */
#include <sennit/actor.h>
#include <sennit/sennit.h>

enum { NEWS, GOSSIP, ANSWER };

static sennit_pid all[3];
static int heard[3];

static void tell(int tag, int from, int to)
{
#ifdef SEPARATE
    for (int i = from; i < to; i++)
        sennit_send_tag(all[i], tag, &from, sizeof from);
#else
    sennit_broadcast(all + from, (unsigned)(to - from), tag, &from, sizeof from);
#endif
}

static void teller(void *unused)
{
    (void)unused;
    tell(NEWS, 1, 3);
}

static void listener(void *number)
{
    int me = (int)(long)number, news;
    sennit_daemon();
    for (;;) {
        sennit_receive(&news, sizeof news);
        heard[me]++;
        if (PART == 0 && me == 1 && sennit_message_tag() == NEWS)
            sennit_send_tag(all[2], GOSSIP, &me, sizeof me);
    }
}

static void answers(void *number)
{
    int mine = (int)(long)number, question;
    sennit_daemon();
    for (;;) {
        sennit_pid from = sennit_receive(&question, sizeof question);
        sennit_reply(from, &mine, sizeof mine);
    }
}

static void asks(void *unused)
{
    (void)unused;
    int got[2], question = 0;
    sennit_pid from[2];
    sennit_broadcast(all, 3, ANSWER, &question, sizeof question);
    unsigned count = sennit_receive_quorum(ANSWER, 2, SENNIT_FOR_EVER, from, got, sizeof *got);
    sennit_assert(count == 2 && from[0] != from[1] && got[0] != got[1]);
    sennit_assert(from[0] == all[got[0]] && from[1] == all[got[1]]);
}

static void calls(void *unused)
{
    (void)unused;
    int question = 0, answer = -1;
    sennit_send_tag(sennit_self(), GOSSIP, &question, sizeof question);
    sennit_call(all[1], ANSWER, &question, sizeof question, &answer, sizeof answer);
    sennit_assert(answer == 1);
}

static void waits(void *unused)
{
    (void)unused;
    int got[2], question = 0;
    sennit_pid from[2];
    sennit_broadcast(all, 1, ANSWER, &question, sizeof question);
    sennit_assert(sennit_receive_quorum(ANSWER, 2, 10, from, got, sizeof *got) > 0);
}

int main(void)
{
    static void (*const first[])(void *) = {teller, teller, asks, calls, waits};
    if (PART < 2) {
        all[0] = sennit_spawn("teller", teller, NULL);
        for (long i = 1; i < 3; i++)
            all[i] = sennit_spawn("listener", listener, (void *)i);
        if (PART == 1)
            sennit_crash(all[0], 1);
    } else {
        for (long i = 0; i < 3; i++)
            all[i] = sennit_spawn("answers", answers, (void *)i);
        sennit_spawn("first", first[PART], NULL);
    }
    sennit_run();
    if (PART == 1)
        sennit_assert(heard[1] <= 1 && heard[2] <= 1);
#if PART == 1 && !defined SEPARATE
    sennit_assert(heard[1] == heard[2]);
#endif
    return 0;
}
