/* api_signal.c - signals: handlers, masks, sending and waiting for them */
#include <errno.h>
#include <limits.h>

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/identity.h"
#include "rt/kernel/process.h"
#include "rt/kernel/seat.h"
#include "rt/libc/api_libc.h"
#include "rt/signal/interrupt.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/sync.h"

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

typedef void (*SignalHandler)(int);

static void require_known(const SignalAction *action, const char *function)
{
    if (!signals_is_handler(action))
        return;
    if (rt.ex->memory != MEMORY_SC)
        report_refused("signal handlers need --memory=sc");
    if (tracking.on)
        report_not_modelled(function);
}

static SignalHandler set_handler(const char *function, int number, SignalHandler handler, int flags)
{
    const SignalAction action = {.handler.plain = handler, .flags = flags,
                                 .mask = flags & SA_NODEFER || !signals_valid(number) ? 0 : signals_bit(number)};
    if (!rt.self) {
        signals_set_initially(number, action);
        return signal(number, handler);
    }
    if (is_fixed(number) || handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    require_known(&action, function);
    SignalAction before = signals_set(number, action);
    return before.handler.plain;
}

SignalHandler sennit_rt_signal(int number, SignalHandler handler)
{
    return set_handler("signal with inputs that are tracked", number, handler, SA_RESTART);
}

SignalHandler sennit_rt_bsd_signal(int number, SignalHandler handler)
{
    return set_handler("bsd_signal with inputs that are tracked", number, handler, SA_RESTART);
}

/* What signal becomes where the headers promise System V: -std=c99, -D_XOPEN_SOURCE. */
SignalHandler sennit_rt___sysv_signal(int number, SignalHandler handler)
{
    return set_handler("signal with inputs that are tracked", number, handler, (int)SA_RESETHAND | SA_NODEFER);
}

SignalHandler sennit_rt_sysv_signal(int number, SignalHandler handler)
{
    return set_handler("sysv_signal with inputs that are tracked", number, handler, (int)SA_RESETHAND | SA_NODEFER);
}

SignalHandler sennit_rt_ssignal(int number, SignalHandler handler)
{
    return set_handler("ssignal with inputs that are tracked", number, handler, SA_RESTART);
}

static void change_mask(int how, int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    signals_mask(how, &set, NULL);
}

/* It also blocks or unblocks the signal. */
SignalHandler sennit_rt_sigset(int number, SignalHandler handler)
{
    if (!rt.self || is_fixed(number))
        return set_handler("sigset", number, handler, 0);
    bool blocked = signals_blocked(number);
    SignalHandler before = SIG_DFL;
    if (handler == SIG_HOLD)
        change_mask(SIG_BLOCK, number);
    else
        before = set_handler("sigset with inputs that are tracked", number, handler, 0);
    if (handler != SIG_HOLD)
        change_mask(SIG_UNBLOCK, number);
    return blocked ? SIG_HOLD : before;
}

int sennit_rt_sigignore(int number) { return set_handler("sigignore", number, SIG_IGN, 0) == SIG_ERR ? -1 : 0; }

static SignalAction action_from(const struct sigaction *given)
{
    SignalAction action = {.flags = given->sa_flags, .mask = signals_bits(&given->sa_mask)};
    if (given->sa_flags & SA_SIGINFO)
        action.handler.detailed = given->sa_sigaction;
    else
        action.handler.plain = given->sa_handler;
    return action;
}

static void store_action(const SignalAction *action, struct sigaction *to)
{
    plain_write(address_of(to), sizeof *to);
    memset(to, 0, sizeof *to);
    to->sa_flags = action->flags;
    memcpy(&to->sa_mask, &action->mask, sizeof action->mask);
    if (action->flags & SA_SIGINFO)
        to->sa_sigaction = action->handler.detailed;
    else
        to->sa_handler = action->handler.plain;
    shadow_memory_overwritten(to, sizeof *to);
}

static int set_before_main(int number, const struct sigaction *action, struct sigaction *old)
{
    if (action)
        signals_set_initially(number, action_from(action));
    return sigaction(number, action, old);
}

int sennit_rt_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (!rt.self)
        return set_before_main(number, action, old);
    if (action)
        plain_use(action, sizeof *action);
    if (!signals_valid(number) || (action && is_fixed(number)))
        return fail(EINVAL);
    SignalAction given = action ? action_from(action) : (SignalAction){0};
    if (action)
        require_known(&given, "sigaction with inputs that are tracked");
    SignalAction before = action ? signals_set(number, given) : signals_get(number);
    if (old)
        store_action(&before, old);
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

static int send_self(int number, const SignalSource *source)
{
    if (number != 0 && !signals_valid(number))
        return EINVAL;
    if (number != 0)
        signals_send_self(number, source);
    return 0;
}

int sennit_rt_raise(int number)
{
    API_OUTSIDE(raise(number));
    int error = send_self(number, &(SignalSource){.code = SI_TKILL, .function = "raise"});
    return error ? fail(error) : 0;
}

int sennit_rt_gsignal(int number) { return sennit_rt_raise(number); }

/* Is it certain that the calling thread gets a signal for the process that it does not block? The kernel prefers the
 * first thread. Without signals that can arrive all that matters is whether the process ends. */
static bool gets_own(int number)
{
    return !signals_blocked(number) && (process_is_first() || !signals_come());
}

/* To the whole process: some thread that does not block the signal gets it. */
static int send_process(pid_t process, int number, const SignalSource *source)
{
    unsigned to = process_find(process);
    if (process <= 0 || process_count() == 1 ? process != IDENTITY_PROCESS : to == UINT_MAX)
        report_not_modelled(source->function);
    if (number != 0 && !signals_valid(number))
        return fail(EINVAL);
    if (to != process_self()) {
        SignalSource sent = *source;
        sent.process = sennit_rt_getpid();
        int error = signals_send_to(to, number, &sent);
        return error ? fail(error) : 0;
    }
    if (number == 0 || !signals_valid(number) || gets_own(number)) {
        int error = send_self(number, source);
        return error ? fail(error) : 0;
    }
    if (number == SIGKILL || number == SIGSTOP)
        signals_send_self(number, source);
    signals_send_away(NULL, number, source);
    return 0;
}

/* The number of a process outside executions, where the program's own one is no process of the system. */
static pid_t real_process(pid_t process) { return process == IDENTITY_PROCESS ? getpid() : process; }

int sennit_rt_kill(pid_t process, int number)
{
    API_OUTSIDE(kill(real_process(process), number));
    return send_process(process, number, &(SignalSource){.code = SI_USER, .function = "kill"});
}

int sennit_rt_sigqueue(pid_t process, int number, const union sigval value)
{
    API_OUTSIDE(sigqueue(real_process(process), number, value));
    return send_process(process, number, &(SignalSource){.code = SI_QUEUE, .value = value, .function = "sigqueue"});
}

static int send_thread(ThreadRecord *thread, int number, const SignalSource *source)
{
    if (!thread || thread->unborn)
        return thread ? 0 : ESRCH;
    if (thread == lifetime_self())
        return send_self(number, source);
    if (number != 0 && !signals_valid(number))
        return EINVAL;
    if (number == SIGKILL || number == SIGSTOP)
        signals_send_self(number, source);
    if (number != 0)
        signals_send_away(thread, number, source);
    return 0;
}

/* The thread that gettid calls so. */
static ThreadRecord *find_by_number(pid_t number)
{
    if (number == process_number(process_self()))
        return lifetime_first();
    AgentId agent = number >= IDENTITY_PROCESS ? seat_agent((uint32_t)(number - IDENTITY_PROCESS)) : AGENT_NONE;
    if (agent == AGENT_NONE)
        return NULL;
    return agent ? *thread_slot(agent) : lifetime_first();
}

int sennit_rt_pthread_kill(pthread_t handle, int number)
{
    API_OUTSIDE(pthread_kill(handle, number));
    return send_thread(lifetime_find(handle), number,
                       &(SignalSource){.code = SI_TKILL, .function = "pthread_kill"});
}

int sennit_rt_tgkill(pid_t process, pid_t number_of_thread, int number)
{
    API_OUTSIDE(tgkill(real_process(process), number_of_thread, number));
    ThreadRecord *thread = process == sennit_rt_getpid() ? find_by_number(number_of_thread) : NULL;
    int error = send_thread(thread, number, &(SignalSource){.code = SI_TKILL, .function = "tgkill"});
    return error ? fail(error) : 0;
}

int sennit_rt_pthread_sigqueue(pthread_t handle, int number, const union sigval value)
{
    API_OUTSIDE(pthread_sigqueue(handle, number, value));
    return send_thread(lifetime_find(handle), number,
                       &(SignalSource){.code = SI_QUEUE, .value = value, .function = "pthread_sigqueue"});
}

/* ---- Waiting ------------------------------------------------------------------------------------- */

int sennit_rt_pause(void)
{
    API_OUTSIDE(pause());
    interrupt_pause();
    return fail(EINTR);
}

int sennit_rt_sigsuspend(const sigset_t *mask)
{
    API_OUTSIDE(sigsuspend(mask));
    uint64_t before = interrupt_mask(mask);
    if (!interrupt_now(INTERRUPT_FAILS) && !signals_deliver_known())
        interrupt_pause();
    interrupt_unmask(before);
    return fail(EINTR);
}

static uint64_t wanted_of(const sigset_t *set)
{
    plain_read(address_of(set), sizeof(uint64_t));
    return signals_bits(set);
}

int sennit_rt_sigwait(const sigset_t *set, int *number)
{
    SignalSource source;
    API_OUTSIDE(sigwait(set, number));
    uint64_t wanted = wanted_of(set);
    int taken = 0;
    while (!taken)
        taken = interrupt_take(wanted, true, &source);
    PLAIN_STORE(number, taken);
    return 0;
}

static int tell(int number, const SignalSource *source, siginfo_t *info)
{
    if (!number || !info)
        return number ? number : fail(EINTR);
    siginfo_t found;
    memset(&found, 0, sizeof found);
    found.si_signo = number;
    found.si_code = source->code;
    found.si_pid = source->code == SI_KERNEL ? 0 : source->process ? source->process : sennit_rt_getpid();
    found.si_value = source->value;
    if (number == SIGCHLD && source->process)
        found.si_status = source->status;
    PLAIN_STORE(info, found);
    return number;
}

int sennit_rt_sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
    SignalSource source;
    API_OUTSIDE(sigwaitinfo(set, info));
    int number = interrupt_take(wanted_of(set), true, &source);
    return tell(number, &source, info);
}

int sennit_rt_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
    SignalSource source;
    API_OUTSIDE(sigtimedwait(set, info, timeout));
    if (!timeout)
        return sennit_rt_sigwaitinfo(set, info);
    plain_use(timeout, sizeof *timeout);
    if (timeout->tv_sec < 0 || timeout->tv_nsec < 0 || timeout->tv_nsec >= 1000000000)
        return fail(EINVAL);
    int64_t time = timeout->tv_sec * 1000000000ll + timeout->tv_nsec;
    bool waits = time && !sync_may_time_out();
    if (waits)
        sync_wait_past_bound(true);
    int number = interrupt_take(wanted_of(set), waits, &source);
    if (waits)
        sync_wait_past_bound(false);
    if (number || waits)
        return tell(number, &source, info);
    if (time && interrupt_now(INTERRUPT_FAILS))
        return fail(EINTR);
    if (time)
        sync_time_out_after(time);
    return fail(EAGAIN);
}
