// not modelled: signalfd
// Signals that are read are sent from outside, or by a thread that the file cannot know of.
#include <signal.h>
#include <sys/signalfd.h>

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return signalfd(-1, &set, 0) < 0; // HERE
}
