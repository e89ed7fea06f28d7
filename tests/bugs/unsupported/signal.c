// not modelled: signal
// A handler could run between any two instructions.
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
