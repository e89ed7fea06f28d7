/* signal_kernel.c - signals of one thread against the kernel's, see kernel.h */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>

#include "kernel.h"
#include "rt/libc/api_libc.h"

const unsigned kernel_retries = 1;

enum { MOST_CALLS = 14, SIGNALS_USED = 4, KINDS = 14 };

static const int used[SIGNALS_USED] = {SIGUSR1, SIGUSR2, SIGPIPE, SIGCHLD};
static const char *const names[KINDS] = {"handle", "detail", "ignore", "block", "unblock", "set", "raise", "kill",
                                         "queue", "pending", "take", "write", "ask", "suspend"};

/* What the instrumenter would say of this program. */
__attribute__((section("sennit_redirected"), used)) static const char uses[] = "kill\0sigaction";

typedef struct Call {
    unsigned kind, which, other, flags;
} Call;

static Call calls[MOST_CALLS];
static unsigned count;

void kernel_generate(void)
{
    count = 2 + kernel_draw(MOST_CALLS - 1);
    for (unsigned i = 0; i < count; i++)
        calls[i] = (Call){kernel_draw(KINDS), kernel_draw(SIGNALS_USED), kernel_draw(SIGNALS_USED), kernel_draw(8)};
}

void kernel_print(void)
{
    for (unsigned i = 0; i < count; i++)
        printf("%s %s %d %d %u", i ? ";" : "", names[calls[i].kind], used[calls[i].which], used[calls[i].other],
               calls[i].flags);
}

/* What is blocked while it runs shows the mask. */
static void see_mask(void)
{
    sigset_t mask;
    sennit_rt_pthread_sigmask(SIG_BLOCK, NULL, &mask);
    for (int i = 0; i < SIGNALS_USED; i++)
        see(sigismember(&mask, used[i]));
}

static void handler(int number)
{
    see(5000 + number);
    see_mask();
}

/* Some kernels do not tell raise from kill. */
static void see_code(const siginfo_t *info) { see(info->si_code == SI_TKILL ? SI_USER : info->si_code); }

static void detailed(int number, siginfo_t *info, void *context)
{
    see(6000 + number);
    see(info->si_signo);
    see_code(info);
    if (info->si_code == SI_QUEUE)
        see(info->si_value.sival_int);
    see(context != NULL);
    see_mask();
}

static sigset_t set_of(const Call *call)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, used[call->which]);
    sigaddset(&set, used[call->other]);
    return set;
}

static void see_action(const struct sigaction *action)
{
    see(action->sa_handler == SIG_DFL   ? 0
        : action->sa_handler == SIG_IGN ? 1
        : action->sa_handler == handler ? 2
                                        : 3);
    see(action->sa_flags & (SA_SIGINFO | SA_RESTART | SA_NODEFER | (int)SA_RESETHAND));
    for (int i = 0; i < SIGNALS_USED; i++)
        see(sigismember(&action->sa_mask, used[i]));
}

static void install(const Call *call)
{
    struct sigaction action = {.sa_handler = handler}, old;
    action.sa_flags = (call->flags & 1 ? SA_RESTART : 0) | (call->flags & 2 ? SA_NODEFER : 0);
    if (call->kind == 1) {
        action.sa_sigaction = detailed;
        action.sa_flags |= SA_SIGINFO;
    }
    if (call->kind == 2)
        action.sa_handler = SIG_IGN;
    if (call->flags & 4)
        sigaddset(&action.sa_mask, used[call->other]);
    see_result(sennit_rt_sigaction(used[call->which], &action, &old));
    see_action(&old);
}

static void send_own(const Call *call)
{
    int number = used[call->which];
    if (call->kind == 6)
        see_result(sennit_rt_raise(number));
    else if (call->kind == 7)
        see_result(sennit_rt_kill(sennit_rt_getpid(), number));
    else
        see_result(sennit_rt_sigqueue(sennit_rt_getpid(), number, (union sigval){.sival_int = (int)call->flags}));
}

static void take(const Call *call)
{
    const struct timespec now = {0};
    sigset_t set = set_of(call);
    siginfo_t info = {0};
    int number = sennit_rt_sigtimedwait(&set, &info, &now);
    see_result(number);
    if (number > 0)
        see_code(&info);
}

static void see_pending(void)
{
    sigset_t set;
    see_result(sennit_rt_sigpending(&set));
    for (int i = 0; i < SIGNALS_USED; i++)
        see(sigismember(&set, used[i]));
}

static void write_in_vain(void)
{
    int ends[2];
    sennit_rt_pipe(ends);
    sennit_rt_close(ends[0]);
    see_result(sennit_rt_write(ends[1], "x", 1));
    sennit_rt_close(ends[1]);
}

/* Only if a signal waits that it opens the mask for: else it would wait for ever. */
static void suspend(const Call *call)
{
    sigset_t pending, set = set_of(call);
    struct sigaction action;
    bool ends = false;
    sennit_rt_sigpending(&pending);
    for (int i = 0; i < SIGNALS_USED; i++) {
        sennit_rt_sigaction(used[i], NULL, &action);
        ends |= sigismember(&pending, used[i]) && !sigismember(&set, used[i]) && action.sa_handler != SIG_IGN;
    }
    if (ends)
        see_result(sennit_rt_sigsuspend(&set));
}

static void make(const Call *call)
{
    sigset_t set = set_of(call);
    struct sigaction action;
    switch (call->kind) {
    case 0:
    case 1:
    case 2: install(call); break;
    case 3: see(sennit_rt_pthread_sigmask(SIG_BLOCK, &set, NULL)); break;
    case 4: see(sennit_rt_sigprocmask(SIG_UNBLOCK, &set, NULL)); break;
    case 5: see(sennit_rt_pthread_sigmask(SIG_SETMASK, &set, NULL)); break;
    case 6:
    case 7:
    case 8: send_own(call); break;
    case 9: see_pending(); break;
    case 10: take(call); break;
    case 11: write_in_vain(); break;
    case 12:
        see_result(sennit_rt_sigaction(used[call->which], NULL, &action));
        see_action(&action);
        break;
    default: suspend(call); break;
    }
    see_mask();
}

/* All signals have handlers at first, and at the end none waits. */
void kernel_make_calls(void)
{
    sigset_t none;
    for (unsigned i = 0; i < SIGNALS_USED; i++)
        install(&(Call){.which = i});
    for (unsigned i = 0; i < count; i++)
        make(&calls[i]);
    sigemptyset(&none);
    sennit_rt_pthread_sigmask(SIG_SETMASK, &none, NULL);
    for (unsigned i = 0; i < SIGNALS_USED; i++) {
        struct sigaction action = {.sa_handler = SIG_DFL};
        sennit_rt_sigaction(used[i], &action, NULL);
    }
}
