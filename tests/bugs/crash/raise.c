// bug: crash
// fixed: exhaustive
// executions: 1
// A signal ends the program unless it is ignored.
#include <signal.h>

int main(void)
{
#ifdef FIXED
    signal(SIGUSR1, SIG_IGN);
#endif
    return raise(SIGUSR1); // BUG
}
