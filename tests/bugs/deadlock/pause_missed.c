// bug: deadlock
// fixed: exhaustive-but-for
// The signal may come between the check and the pause.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void note(int number)
{
    (void)number;
    stop = 1;
}

static void *terminate(void *arg)
{
    kill(getpid(), SIGTERM);
    return arg;
}

int main(void)
{
    pthread_t t;
    sigset_t term, none;
    sigemptyset(&none);
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    signal(SIGTERM, note);
#ifdef FIXED
    pthread_sigmask(SIG_BLOCK, &term, NULL);
#endif
    pthread_create(&t, NULL, terminate, NULL);
    while (!stop)
#ifdef FIXED
        sigsuspend(&none);
#else
        pause(); // BUG
#endif
    pthread_join(t, NULL);
    return 0;
}
