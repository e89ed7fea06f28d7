/* api_signal.c - signals: ignoring, blocking and sending them; handlers are rejected with a message */
#include <errno.h>

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/identity.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/signals.h"
#include "rt/sync/lifetime.h"

static int fail(int error)
{
    errno = error;
    return -1;
}

static bool is_fixed(int number)
{
    return !signals_valid(number) || number == SIGKILL || number == SIGSTOP;
}

/* ---- Dispositions ------------------------------------------------------------------------- */

static bool is_handler(void (*handler)(int)) { return handler != SIG_IGN && handler != SIG_DFL; }

static void (*set_handler(const char *what, int number, void (*handler)(int)))(int)
{
    if (!rt.self) {
        signals_set_initially(number, handler == SIG_IGN);
        return signal(number, handler);
    }
    if (is_handler(handler) && handler != SIG_ERR)
        report_not_modelled(what);
    if (is_fixed(number) || handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return signals_set(number, handler == SIG_IGN) ? SIG_IGN : SIG_DFL;
}

void (*sennit_rt_signal(int number, void (*handler)(int)))(int)
{
    return set_handler("a signal handler (signal)", number, handler);
}

void (*sennit_rt_bsd_signal(int number, void (*handler)(int)))(int)
{
    return set_handler("a signal handler (bsd_signal)", number, handler);
}

/* What signal becomes where the headers promise System V: -std=c99, -D_XOPEN_SOURCE. */
void (*sennit_rt___sysv_signal(int number, void (*handler)(int)))(int)
{
    return set_handler("a signal handler (signal)", number, handler);
}

void (*sennit_rt_sysv_signal(int number, void (*handler)(int)))(int)
{
    return set_handler("a signal handler (sysv_signal)", number, handler);
}

void (*sennit_rt_ssignal(int number, void (*handler)(int)))(int)
{
    return set_handler("a signal handler (ssignal)", number, handler);
}

static void change_mask(int how, int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    signals_mask(how, &set, NULL);
}

/* It also blocks or unblocks the signal. */
void (*sennit_rt_sigset(int number, void (*handler)(int)))(int)
{
    if (!rt.self || is_fixed(number))
        return set_handler("a signal handler (sigset)", number, handler);
    bool blocked = signals_blocked(number);
    void (*before)(int) = SIG_DFL;
    if (handler == SIG_HOLD)
        change_mask(SIG_BLOCK, number);
    else
        before = set_handler("a signal handler (sigset)", number, handler);
    if (handler != SIG_HOLD)
        change_mask(SIG_UNBLOCK, number);
    return blocked ? SIG_HOLD : before;
}

int sennit_rt_sigignore(int number)
{
    return set_handler("a signal handler (sigignore)", number, SIG_IGN) == SIG_ERR ? -1 : 0;
}

int sennit_rt_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (!rt.self) {
        if (action)
            signals_set_initially(number, action->sa_handler == SIG_IGN);
        return sigaction(number, action, old);
    }
    if (action)
        plain_use(action, sizeof *action);
    if (action && ((action->sa_flags & SA_SIGINFO) || is_handler(action->sa_handler)))
        report_not_modelled("a signal handler (sigaction)");
    if (!signals_valid(number) || (action && is_fixed(number)))
        return fail(EINVAL);
    bool ignored = action ? signals_set(number, action->sa_handler == SIG_IGN) : signals_get(number);
    if (old) {
        plain_write(address_of(old), sizeof *old);
        memset(old, 0, sizeof *old);
        old->sa_handler = ignored ? SIG_IGN : SIG_DFL;
        shadow_memory_overwritten(old, sizeof *old);
    }
    return 0;
}

int sennit_rt_signalfd(int file, const sigset_t *mask, int flags)
{
    (void)file;
    (void)mask;
    (void)flags;
    report_not_modelled("signalfd");
}

/* ---- Masks ------------------------------------------------------------------------------------ */

int sennit_rt_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    API_OUTSIDE(pthread_sigmask(how, set, old));
    return signals_mask(how, set, old);
}

int sennit_rt_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    API_OUTSIDE(sigprocmask(how, set, old));
    int error = signals_mask(how, set, old);
    return error ? fail(error) : 0;
}

int sennit_rt_sighold(int number)
{
    if (!signals_valid(number))
        return fail(EINVAL);
    if (rt.self)
        change_mask(SIG_BLOCK, number);
    return 0;
}

int sennit_rt_sigrelse(int number)
{
    if (!signals_valid(number))
        return fail(EINVAL);
    if (rt.self)
        change_mask(SIG_UNBLOCK, number);
    return 0;
}

int sennit_rt_sigpending(sigset_t *set)
{
    API_OUTSIDE(sigpending(set));
    signals_pending(set);
    return 0;
}

/* ---- Sending ------------------------------------------------------------------------------------ */

static int send_self(int number, const char *function)
{
    if (number != 0 && !signals_valid(number))
        return EINVAL;
    if (number != 0)
        signals_send_self(number, function);
    return 0;
}

int sennit_rt_raise(int number)
{
    API_OUTSIDE(raise(number));
    int error = send_self(number, "raise");
    return error ? fail(error) : 0;
}

int sennit_rt_gsignal(int number) { return sennit_rt_raise(number); }

/* To the whole process: some thread that does not block the signal gets it. */
static int send_process(pid_t process, int number, const char *function)
{
    if (process != IDENTITY_PROCESS)
        report_not_modelled(function);
    if (!signals_valid(number) || !signals_blocked(number)) {
        int error = send_self(number, function);
        return error ? fail(error) : 0;
    }
    signals_send_away(number, function);
    return 0;
}

/* The number of a process outside executions, where the program's own one is no process of the system. */
static pid_t real_process(pid_t process) { return process == IDENTITY_PROCESS ? getpid() : process; }

int sennit_rt_kill(pid_t process, int number)
{
    API_OUTSIDE(kill(real_process(process), number));
    return send_process(process, number, "kill");
}

int sennit_rt_sigqueue(pid_t process, int number, const union sigval value)
{
    API_OUTSIDE(sigqueue(real_process(process), number, value));
    return send_process(process, number, "sigqueue");
}

static int send_thread(pthread_t handle, int number, const char *function)
{
    const ThreadRecord *thread = lifetime_find(handle);
    if (!thread)
        return ESRCH;
    if (thread == lifetime_self())
        return send_self(number, function);
    if (number != 0 && !signals_valid(number))
        return EINVAL;
    if (number != 0)
        signals_send_away(number, function);
    return 0;
}

int sennit_rt_pthread_kill(pthread_t handle, int number)
{
    API_OUTSIDE(pthread_kill(handle, number));
    return send_thread(handle, number, "pthread_kill");
}

int sennit_rt_pthread_sigqueue(pthread_t handle, int number, const union sigval value)
{
    API_OUTSIDE(pthread_sigqueue(handle, number, value));
    return send_thread(handle, number, "pthread_sigqueue");
}
