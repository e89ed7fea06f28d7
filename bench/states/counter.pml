/* Two threads, K sections under a mutex each; COUNTER of tests/litmus/thread_states.c */
byte count;
bool held;

active [2] proctype work()
{
    byte i;
    do
    :: atomic { !held -> held = true };
       atomic {
           count++;
           held = false;
           i++;
           if
           :: i == K -> break
           :: else
           fi
       }
    od
}
