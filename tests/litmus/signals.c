/* signals.c - signals without effect: ignored, ignored by default, blocked
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=1 -> executions 2 bugs crash
 * litmus: -DPART=2 -> executions 1 bugs crash
 * litmus: -DPART=3 -> executions 1 bugs crash
 *
 * 1: a thread raises a signal before or after another ignores it. 2: a blocked signal waits until it is unblocked.
 * 3: a signal ends the process by default.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>

#include "litmus.h"

static void change_mask(int how, int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    assert(pthread_sigmask(how, &set, NULL) == 0);
}

static void *inherit(void *unused)
{
    sigset_t blocked, sent;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    assert(sigismember(&blocked, SIGTERM) && !sigismember(&blocked, SIGINT));
    raise(SIGTERM);
    sigpending(&sent);
    assert(sigismember(&sent, SIGTERM));
    return unused;
}

static void without_effect(void)
{
    struct sigaction old;
    assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL && signal(SIGUSR1, SIG_IGN) == SIG_IGN);
    assert(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_IGN);
    assert(signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL);
    assert(raise(SIGUSR1) == 0 && kill(getpid(), SIGUSR1) == 0 && pthread_kill(pthread_self(), SIGUSR1) == 0);
    assert(raise(SIGCHLD) == 0 && raise(SIGURG) == 0 && raise(SIGWINCH) == 0 && raise(SIGCONT) == 0);
    assert(raise(0) == 0 && raise(99) == -1 && errno == EINVAL);
    change_mask(SIG_BLOCK, SIGTERM);
    start(inherit, 0);
    join_all();
    assert(raise(SIGTERM) == 0);
    signal(SIGTERM, SIG_IGN);
    change_mask(SIG_UNBLOCK, SIGTERM);
}

static void *ignore(void *unused)
{
    signal(SIGUSR1, SIG_IGN);
    return unused;
}

int main(void)
{
    switch (PART) {
    case 0:
        without_effect();
        break;
    case 1:
        start(ignore, 0);
        raise(SIGUSR1);
        join_all();
        break;
    case 2:
        change_mask(SIG_BLOCK, SIGTERM);
        raise(SIGTERM);
        change_mask(SIG_UNBLOCK, SIGTERM);
        break;
    default: kill(getpid(), SIGTERM);
    }
    return 0;
}
