/* two_phase_commit.c - all participants commit, or none; a crash must not break that
 *
 * litmus: -> executions 8
 * litmus: --crash=1 -> executions 101
 * litmus: -DWRONG -> executions 8
 * litmus: -DWRONG --crash=1 -> executions 101 bugs assertion
 *
 * The coordinator asks two participants, and tells them to commit if both say yes. After a
 * crash it starts again: it sends its decision to all, which it recorded before the first
 * send; if nothing is recorded it aborts. In the wrong version it records nothing and always
 * aborts: if it crashed between two sends, one participant has committed.
 * Without a crash there is no bug.
 */
#include <assert.h>
#include <sennit/actor.h>
#include <sennit/sennit.h>

enum { PREPARE, VOTE, DECIDE };
enum { UNDECIDED, COMMITTED, ABORTED };
enum { PARTICIPANTS = 2 };

typedef struct Step {
    int kind, yes;
} Step;
SENNIT_MSG(Step, SENNIT_FIELD(Step, kind), SENNIT_FIELD(Step, yes));

static sennit_pid coordinator, participants[PARTICIPANTS];
static int outcomes[PARTICIPANTS];
static int written; /* survives a crash of the coordinator */

static void tell(sennit_pid to, int kind, int yes)
{
    Step step = {kind, yes};
    sennit_send(to, &step, sizeof step);
}

static void tell_all(int kind, int yes)
{
    for (int i = 0; i < PARTICIPANTS; i++)
        tell(participants[i], kind, yes);
}

static void recover(void *argument)
{
    (void)argument;
    tell_all(DECIDE, written == COMMITTED);
}

static void coordinate(void *argument)
{
    int yes = 1;
    (void)argument;
    sennit_daemon(); /* a participant that crashed never votes: two-phase commit is known to block */
    sennit_restart(recover, 0);
    tell_all(PREPARE, 0);
    for (int i = 0; i < PARTICIPANTS; i++) {
        Step vote;
        sennit_receive(&vote, sizeof vote);
        yes = yes && vote.yes;
    }
#ifndef WRONG
    written = yes ? COMMITTED : ABORTED;
#endif
    tell_all(DECIDE, yes);
}

static void take_part(void *argument)
{
    int *outcome = argument;
    sennit_daemon();
    for (;;) {
        Step step;
        sennit_receive(&step, sizeof step);
        if (step.kind == PREPARE && *outcome == UNDECIDED) {
            int yes = sennit_choose(2) == 0;
            if (!yes)
                *outcome = ABORTED;
            tell(coordinator, VOTE, yes);
        } else if (step.kind == DECIDE && *outcome == UNDECIDED) {
            *outcome = step.yes ? COMMITTED : ABORTED;
        }
    }
}

int main(void)
{
    coordinator = sennit_spawn("coordinator", coordinate, 0);
    for (int i = 0; i < PARTICIPANTS; i++)
        participants[i] = sennit_spawn(i ? "B" : "A", take_part, &outcomes[i]);
    sennit_run();
    assert(!(outcomes[0] == COMMITTED && outcomes[1] == ABORTED) && !(outcomes[0] == ABORTED && outcomes[1] == COMMITTED));
    return 0;
}
