/* handlers.c - signal handlers: taking a signal is a step of the thread that takes it
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=1 -> executions 2 verdict exhaustive-but-for bugs deadlock
 * litmus: -DPART=1 --plain=visible -> executions 4 verdict exhaustive-but-for bugs deadlock
 * litmus: -DPART=2 -> executions 2 verdict exhaustive-but-for bugs deadlock
 * litmus: -DPART=3 -> executions 31 verdict exhaustive-but-for
 * litmus: -DPART=4 -> executions 31 verdict exhaustive-but-for
 * litmus: -DPART=5 -> executions 4
 * litmus: -DPART=6 -> executions 4 verdict exhaustive-but-for
 * litmus: -DPART=7 -> executions 3 verdict exhaustive-but-for
 * litmus: -DPART=8 -> executions 2 verdict exhaustive-but-for
 * litmus: -DPART=9 -> executions 3 verdict exhaustive-but-for
 * litmus: -DPART=10 --plain=visible -> executions 22 verdict exhaustive-but-for
 * litmus: -DPART=11 --plain=visible -> executions 22 verdict exhaustive-but-for
 * litmus: -DPART=12 -> executions 3 verdict exhaustive-but-for
 *
 * 0: a thread sends itself signals: handlers run at once, with their masks. 1, 2: a signal that comes just before
 * pause is missed; in 1, with plain accesses as steps, it may also come before the flag is checked. 3, 4: a read
 * fails with EINTR, or is restarted. 5: sigwait. 6: sigsuspend misses nothing. 7: a join goes on after the handler.
 * 8: a sleep ends early, or the alarm comes after it. 9: a flag is polled. 10: the handler of the
 * first signal blocks the second one; 11: it does not. 12: a signal that waits while a handler blocks it, and is sent
 * again meanwhile, is delivered once, when that handler has returned.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "litmus.h"

static volatile sig_atomic_t stop, count;
static int ends[2];

static void note(int number)
{
    (void)number;
    stop = 1;
    count++;
}

static void install(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    assert(sigaction(number, &action, NULL) == 0);
}

static void nested(int number)
{
    int before = count;
    if (before < 2)
        raise(number);
    assert(count == before);
    count = before + 1;
}

static void detailed(int number, siginfo_t *info, void *context)
{
    assert(number == SIGUSR2 && info->si_signo == SIGUSR2 && info->si_code == SI_QUEUE && context);
    assert(info->si_value.sival_int == 7);
    count = 10;
}

static void *terminate(void *unused)
{
    assert(kill(getpid(), SIGTERM) == 0);
    return unused;
}

static void nothing(int number) { (void)number; }

static void install_blocking(int number, void (*handler)(int), int blocked)
{
    struct sigaction action = {.sa_handler = handler};
    if (blocked)
        sigaddset(&action.sa_mask, blocked);
    assert(sigaction(number, &action, NULL) == 0);
}

static void *send_both(void *unused)
{
    assert(kill(getpid(), SIGUSR1) == 0 && kill(getpid(), SIGUSR2) == 0);
    return unused;
}

/* SIGUSR2 waits already. */
static void send_again(int number)
{
    (void)number;
    assert(count == 0 && pthread_kill(pthread_self(), SIGUSR2) == 0 && raise(SIGUSR2) == 0 && count == 0);
    stop = 1;
}

static void count_after(int number)
{
    (void)number;
    assert(stop);
    count++;
}

static void block_both(int how)
{
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGUSR2);
    pthread_sigmask(how, &both, NULL);
}

static void *write_byte(void *unused)
{
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

static pthread_t target;

static void *poke(void *unused)
{
    assert(pthread_kill(target, SIGUSR1) == 0);
    return unused;
}

static void *poke_both(void *unused)
{
    assert(pthread_kill(target, SIGUSR1) == 0 && pthread_kill(target, SIGUSR2) == 0);
    return unused;
}

static void self_sent(void)
{
    struct sigaction old, action = {.sa_sigaction = detailed, .sa_flags = SA_SIGINFO};
    assert(signal(SIGUSR1, nested) == SIG_DFL && signal(SIGUSR1, nested) == nested);
    assert(raise(SIGUSR1) == 0);
    assert(count >= 1);
    assert(sigaction(SIGUSR2, &action, NULL) == 0);
    assert(sigaction(SIGUSR2, NULL, &old) == 0 && old.sa_sigaction == detailed && old.sa_flags & SA_SIGINFO);
    assert(sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 7}) == 0 && count == 10);
    install(SIGPIPE, note, 0);
    assert(pipe(ends) == 0);
    close(ends[0]);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE && stop == 1);
    install(SIGTERM, note, (int)SA_RESETHAND);
    stop = 0;
    kill(getpid(), SIGTERM);
    assert(stop == 1 && sigaction(SIGTERM, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
}

int main(void)
{
    char byte;
    sigset_t set, all;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigfillset(&all);
    target = pthread_self();
    switch (PART) {
    case 0: self_sent(); break;
    case 1: /* a loop that waits for a flag */
        install(SIGTERM, note, 0);
        start(terminate, 0);
        while (!stop)
            pause();
        break;
    case 2: /* the same without a check */
        install(SIGTERM, note, 0);
        start(terminate, 0);
        pause();
        break;
    case 3: /* a read that fails with EINTR, or not */
    case 4:
        assert(pipe(ends) == 0);
        install(SIGTERM, note, PART == 4 ? SA_RESTART : 0);
        pthread_sigmask(SIG_BLOCK, &all, NULL);
        start(terminate, 0);
        start(write_byte, 0);
        pthread_sigmask(SIG_UNBLOCK, &all, NULL);
        number = (int)read(ends[0], &byte, 1);
        assert(number == 1 || (number == -1 && errno == EINTR && stop && PART == 3));
        break;
    case 5: /* sigwait by a thread while all block the signal */
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        start(terminate, 0);
        assert(sigwait(&set, &number) == 0 && number == SIGTERM);
        break;
    case 6: /* sigsuspend opens the mask and waits at once */
        install(SIGTERM, note, 0);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        start(terminate, 0);
        sigemptyset(&all);
        while (!stop)
            assert(sigsuspend(&all) == -1 && errno == EINTR);
        break;
    case 7: /* a join goes on */
        install(SIGUSR1, note, 0);
        start(poke, 0);
        break;
    case 8: /* a sleep ends early, or the signal comes too late */
        install(SIGALRM, note, 0);
        alarm(1);
        number = (int)sleep(10);
        assert(number == 0 || (number == 10 && stop));
        break;
    case 9: /* a flag that is polled with a sleep */
        install(SIGTERM, note, 0);
        start(terminate, 0);
        while (!stop)
            usleep(1000);
        break;
    case 10: /* two signals, of which the handler of the first blocks the second */
    case 11:
        install_blocking(SIGUSR1, nothing, PART == 10 ? SIGUSR2 : 0);
        install_blocking(SIGUSR2, nothing, 0);
        start(send_both, 0);
        break;
    case 12: /* those of the thread itself wait where those of others do */
        install_blocking(SIGUSR1, send_again, SIGUSR2);
        install_blocking(SIGUSR2, count_after, 0);
        block_both(SIG_BLOCK);
        start(poke_both, 0);
        join_all();
        block_both(SIG_UNBLOCK);
        assert(count == 1);
        break;
    default: break;
    }
    join_all();
    (void)write_byte, (void)send_both, (void)install_blocking, (void)block_both;
    return 0;
}
