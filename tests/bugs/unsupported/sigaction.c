// not modelled: sigaction
// A handler could run between any two instructions.
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t seen;

static void handler(int number)
{
    seen = number;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL); // HERE
    return 0;
}
