/* Peterson's lock in an endless loop; PETERSON of tests/litmus/thread_states.c */
bool wants[2]; bit turn; byte inside;

active [2] proctype work()
{
again:
    wants[_pid] = true;
    turn = 1 - _pid;
look:
    if
    :: !wants[1 - _pid]
    :: wants[1 - _pid] -> if
                          :: turn == 1 - _pid -> goto look
                          :: else
                          fi
    fi;
    inside++;
    inside--;
    wants[_pid] = false;
    goto again
}
