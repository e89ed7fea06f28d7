/* watchdog.c - see watchdog.h */
#include "rt/detect/watchdog.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include "rt/detect/crash.h"
#include "rt/detect/stack.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/thread.h"

/* Attempts to stop a thread that is not in the program's own code, and microseconds between two of them. */
enum { ATTEMPTS = 1000, ATTEMPT_PERIOD = 2000 };

/* The limit of a step is CPU time, since a busy machine grants little of it; for a step that
 * waits for something outside, which uses none at all, it is wall-clock time. */
static struct {
    uint32_t limit;
    uint32_t ticks;       /* since the last progress             */
    uint32_t attempts;    /* to stop the thread, since then      */
    double cpu;           /* time of this process then           */
    uint32_t execution, events; /* of then */
} watchdog;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void set_period(int seconds, int microseconds)
{
    struct itimerval period = {{seconds, microseconds}, {seconds, microseconds}};
    setitimer(ITIMER_REAL, &period, NULL);
}

static void note_progress(void)
{
    if (watchdog.attempts)
        set_period(1, 0);
    watchdog.execution = rt.execution + rt.continued;
    watchdog.events = rt.self ? rt.ex->event_count : 0;
    watchdog.cpu = cpu_seconds();
    watchdog.ticks = watchdog.attempts = 0;
}

/* ---- Stopping ------------------------------------------------------------------------- */

extern const char __executable_start[] __attribute__((weak));
extern const char etext[] __attribute__((weak));

/* Elsewhere a lock may be held, or a structure be half changed. */
static bool may_stop_at(uint64_t pc)
{
    return pc >= address_of(__executable_start) && pc < address_of(etext) && !stack_is_runtime(pc);
}

/* It is jumped to, so nothing is known about the stack's alignment. */
#if defined(__x86_64__)
__attribute__((force_align_arg_pointer))
#endif
static _Noreturn void cut_step(void)
{
    note_progress(); /* the next thread has its own time */
    thread_cut(CUT_STEP_TIME);
}

static uint64_t cut_address(void) { return (uint64_t)(uintptr_t)cut_step; }

/* The registers of the interrupted thread. */
typedef struct Registers {
    uint64_t pc, sp, frame;
} Registers;

static Registers registers_of(const ucontext_t *user)
{
#if defined(__x86_64__)
    const greg_t *all = user->uc_mcontext.gregs;
    return (Registers){(uint64_t)all[REG_RIP], (uint64_t)all[REG_RSP], (uint64_t)all[REG_RBP]};
#else
    return (Registers){user->uc_mcontext.pc, user->uc_mcontext.sp, user->uc_mcontext.regs[29]};
#endif
}

/* The thread continues with cut_step, on its own stack. */
static void divert(ucontext_t *user)
{
    enum { RED_ZONE = 128 };
    uint64_t sp = (registers_of(user).sp - RED_ZONE) & ~15ull;
#if defined(__x86_64__)
    user->uc_mcontext.gregs[REG_RSP] = (greg_t)sp;
    user->uc_mcontext.gregs[REG_RIP] = (greg_t)cut_address();
#else
    user->uc_mcontext.sp = sp;
    user->uc_mcontext.pc = cut_address();
#endif
}

/* The runtime will return to cut_step in place of the program. Where the frames cannot be followed it may be a caller
 * further out that does; then the next attempt may succeed. */
static void divert_return(const ucontext_t *user)
{
    Registers now = registers_of(user);
    uint64_t last = now.sp;
    while (now.frame >= last && now.frame % 8 == 0 && in_stacks(now.frame) &&
           now.frame / STACK_STRIDE == now.sp / STACK_STRIDE) {
        uint64_t *record = (uint64_t *)(uintptr_t)now.frame; /* the caller's frame, the return address */
        if (may_stop_at(record[1]))
            record[1] = cut_address();
        if (record[1] == cut_address())
            return;
        last = now.frame + 1;
        now.frame = record[0];
    }
}

static _Noreturn void give_up(void)
{
    execution_cut(rt.ex, CUT_STEP_TIME);
    if (rt.ex->agent_count > 1)
        execution_cut(rt.ex, CUT_STUCK);
    crash_leave();
}

static void stop(ucontext_t *user, bool waits)
{
    if (may_stop_at(registers_of(user).pc)) {
        watchdog.attempts++;
        divert(user);
        return;
    }
    if (waits || watchdog.attempts == ATTEMPTS)
        give_up();
    if (watchdog.attempts++ == 0)
        set_period(0, ATTEMPT_PERIOD);
    divert_return(user);
}

/* ---- The timer -------------------------------------------------------------------------- */

static void on_tick(int number, siginfo_t *info, void *context)
{
    static const double WAITS = 0.002;
    (void)number, (void)info;
    uint32_t events = rt.self ? rt.ex->event_count : 0;
    if (!rt.self || watchdog.execution != rt.execution + rt.continued || watchdog.events != events) {
        note_progress();
        return;
    }
    double used = cpu_seconds() - watchdog.cpu;
    bool waits = ++watchdog.ticks >= watchdog.limit && used < WAITS;
    if (used >= watchdog.limit || waits)
        stop(context, waits);
}

void watchdog_init(uint32_t limit_seconds)
{
    struct sigaction handler = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    watchdog.limit = limit_seconds ? limit_seconds : 10;
    watchdog.attempts = 0;
    handler.sa_sigaction = on_tick;
    sigemptyset(&handler.sa_mask);
    sigaction(SIGALRM, &handler, NULL);
    set_period(1, 0);
}
