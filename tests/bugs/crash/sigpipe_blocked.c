// bug: crash
// fixed: exhaustive
// executions: 1
// Writing to a pipe that nobody reads sends SIGPIPE, which a thread may block.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    sigset_t set;
    sigemptyset(&set);
#ifdef FIXED
    sigaddset(&set, SIGPIPE);
#endif
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (pipe(ends) != 0)
        return 1;
    close(ends[0]);
    ssize_t written = write(ends[1], "x", 1); // BUG
    close(ends[1]);
    return written > 0;
}
