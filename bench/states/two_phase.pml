/* Two-phase commit of N resource managers, as Gray and Lamport have specified it: messages are a set and stay there.
 * COMMIT of tests/actors/programs/states.c */
mtype = { WORKING, PREPARED, COMMITTED, ABORTED };
mtype resource[N] = WORKING, decision = WORKING;
bool said[N], heard[N]; /* who has prepared, and of whom the manager knows; a decision is told to all at once */
byte known;

active [N] proctype work()
{
    do
    :: d_step { resource[_pid] == WORKING -> resource[_pid] = PREPARED; said[_pid] = true }
    :: d_step { resource[_pid] == WORKING -> resource[_pid] = ABORTED }
    :: d_step { decision == COMMITTED && resource[_pid] != COMMITTED -> resource[_pid] = COMMITTED }
    :: d_step { decision == ABORTED && resource[_pid] != ABORTED -> resource[_pid] = ABORTED }
    :: d_step { decision == WORKING && said[_pid] && !heard[_pid] -> heard[_pid] = true; known++ }
    od
}

active proctype manage()
{
    do
    :: d_step { decision == WORKING && known == N -> decision = COMMITTED }
    :: d_step { decision == WORKING -> decision = ABORTED }
    od
}
