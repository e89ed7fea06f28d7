/* N philosophers, R meals each, forks taken in order; PHILOSOPHERS of tests/litmus/thread_states.c */
bool held[N];

active [N] proctype dine()
{
    byte i;
    byte left = (_pid == N - 1 -> 0 : _pid);
    byte right = (_pid == N - 1 -> N - 1 : _pid + 1);
    do
    :: atomic { !held[left] -> held[left] = true };
       atomic { !held[right] -> held[right] = true };
       held[right] = false;
       atomic {
           held[left] = false;
           i++;
           if
           :: i == R -> break
           :: else
           fi
       }
    od
}
