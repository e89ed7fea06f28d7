/* raise_ignored.c - a signal that is ignored does nothing */
#include <signal.h>
int main(void)
{
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    return 0;
}
