// not modelled: a signal handler
// options: -std=c99 -D_XOPEN_SOURCE=700
// With these options the headers make another function of it, __sysv_signal.
#include <signal.h>

static volatile sig_atomic_t seen;

static void handler(int number)
{
    seen = number;
}

int main(void)
{
    signal(SIGINT, handler); // HERE
    return 0;
}
