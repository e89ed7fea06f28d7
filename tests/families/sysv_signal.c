/* sysv_signal.c - a handler that is removed by the signal that it handles: the second one ends the program */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
extern void (*__sysv_signal(int, void (*)(int)))(int);
static int handled;
static void handle(int number)
{
    handled += number == SIGUSR1;
}
int main(void)
{
    __sysv_signal(SIGUSR1, handle);
    raise(SIGUSR1);
    assert(handled == 1);
#ifdef TWICE
    raise(SIGUSR1);
#endif
    return 0;
}
