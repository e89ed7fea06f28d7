/* timers.c - timers of POSIX: an expiry is a step, at any time after the timer was set
 *
 * litmus: -DPART=0 -> executions 2
 * litmus: -DPART=1 -> executions 3 verdict exhaustive-but-for
 * litmus: -DPART=2 -> executions 2
 * litmus: -DPART=3 -> executions 1
 *
 * 0: its signal is waited for, with a value. 1: it expires before it is deleted, or not at all. 2: one that sends
 * nothing. 3: what is not a timer.
 */
#include <signal.h>
#include <time.h>

#include "litmus.h"

static timer_t timer;

static void set(long seconds)
{
    struct itimerspec value = {.it_value.tv_sec = seconds}, old;
    assert(timer_settime(timer, 0, &value, &old) == 0 && old.it_value.tv_sec == 0);
}

static int make(int notify)
{
    struct sigevent event = {.sigev_notify = notify, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 7};
    return timer_create(CLOCK_MONOTONIC, &event, &timer);
}

__attribute__((unused)) static void expires(void)
{
    sigset_t signals;
    siginfo_t info;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    assert(make(SIGEV_SIGNAL) == 0);
    set(5);
    assert(sigwaitinfo(&signals, &info) == SIGUSR1);
    assert(info.si_code == SI_TIMER && info.si_value.sival_int == 7);
}

static volatile sig_atomic_t count;

__attribute__((unused)) static void note(int number)
{
    assert(number == SIGUSR1);
    count++;
}

__attribute__((unused)) static void is_deleted(void)
{
    signal(SIGUSR1, note);
    assert(make(SIGEV_SIGNAL) == 0);
    set(5);
    assert(timer_delete(timer) == 0);
    assert(count <= 1);
    assert(timer_delete(timer) == -1 && errno == EINVAL);
}

__attribute__((unused)) static void is_silent(void)
{
    struct itimerspec left;
    assert(make(SIGEV_NONE) == 0);
    set(5);
    assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec <= 5);
}

__attribute__((unused)) static void is_none(void)
{
    struct itimerspec value = {.it_value.tv_nsec = 1000000000};
    assert(timer_gettime(timer, &value) == -1 && errno == EINVAL);
    assert(make(SIGEV_NONE) == 0);
    value.it_value.tv_nsec = 1000000000;
    assert(timer_settime(timer, 0, &value, NULL) == -1 && errno == EINVAL);
    assert(timer_create((clockid_t)99, NULL, &timer) == -1 && errno == EINVAL);
}

int main(void)
{
    if (PART == 0)
        expires();
    if (PART == 1)
        is_deleted();
    if (PART == 2)
        is_silent();
    if (PART == 3)
        is_none();
    return 0;
}
