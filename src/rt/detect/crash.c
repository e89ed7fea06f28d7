/* crash.c - see crash.h
 *
 * After a crash nothing in this process can be trusted, libc's state included: the
 * finding is written into the execution, which lies in shared memory, and the process
 * ends. The supervisor starts the next one.
 */
#include "rt/detect/crash.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "rt/detect/bug.h"
#include "rt/detect/cover.h"
#include "rt/detect/stack.h"
#include "rt/detect/unseen.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/thread.h"

enum { SIGNAL_STACK = 64 << 10 };

/* ---- Crashes ------------------------------------------------------------------- */

/* The processor does not tell a division by zero from a quotient that is too large. In instrumented code the
 * runtime checks both first; this is code of a library. */
static const char *describe_arithmetic(int code)
{
    switch (code) {
    case FPE_INTDIV: return "division by zero, or a quotient that is too large";
    case FPE_FLTDIV: return "floating-point division by zero";
    case FPE_INTOVF:
    case FPE_FLTOVF: return "the result of arithmetic is too large";
    default: return "arithmetic exception";
    }
}

static BugKind kind_of(int number, int code)
{
    if (number != SIGFPE)
        return BUG_CRASH;
    return code == FPE_INTDIV || code == FPE_FLTDIV   ? BUG_DIVISION
           : code == FPE_INTOVF || code == FPE_FLTOVF ? BUG_OVERFLOW
                                                      : BUG_CRASH;
}

/* The address is that of the next instruction if it could not be fetched. An address that no process can have is
 * not told: the kernel gives 0. */
static const char *describe_access(const siginfo_t *info, uint64_t pc)
{
    uint64_t address = address_of(info->si_addr);
    bool null = address < 65536 && info->si_code != SI_KERNEL;
    if (thread_overflows(address))
        return "stack overflow";
    if (address == pc)
        return null ? "call of a null function pointer" : "jump to an address without code";
    return null ? "null pointer dereference" : "invalid memory access";
}

static const char *describe_signal(int number, const siginfo_t *info, uint64_t pc)
{
    switch (number) {
    case SIGSEGV: return describe_access(info, pc);
    case SIGBUS: return thread_overflows(address_of(info->si_addr)) ? "stack overflow" : "bus error";
    case SIGFPE: return describe_arithmetic(info->si_code);
    case SIGILL: return "illegal instruction";
    case SIGTRAP: return "trap: code was reached that the compiler considers unreachable";
    default: return "aborted";
    }
}

/* From these registers the call stack of a signal is found. */
static StackPlace where_of(const void *context)
{
    const ucontext_t *user = context;
#if defined(__x86_64__)
    const greg_t *registers = user->uc_mcontext.gregs;
    return (StackPlace){(uint64_t)registers[REG_RIP], (uint64_t)registers[REG_RSP], (uint64_t)registers[REG_RBP]};
#else
    return (StackPlace){user->uc_mcontext.pc, user->uc_mcontext.sp, user->uc_mcontext.regs[29]};
#endif
}

void crash_leave(void)
{
    rt.ex->end = END_CRASHED;
    cover_collect();
    unseen_collect();
    _exit(RT_EXIT_CRASHED);
}

static _Noreturn void end_process(BugKind kind, const char *text, const void *address, const void *context)
{
    StackPlace where = where_of(context);
    Finding *finding = bug_add(kind);
    stack_record_crash(finding, where.pc, where.sp, where.frame);
    finding->address = address_of(address);
    strncpy(finding->text, text, sizeof finding->text - 1);
    crash_leave();
}

/* A crash outside program code is a bug of Sennit: the signal takes its usual effect. */
static void on_fatal_signal(int number, siginfo_t *info, void *context)
{
    StackPlace where = where_of(context);
    if (number == SIGSEGV && rt.self && thread_extend_stack(address_of(info->si_addr), &where))
        return;
    if (!rt.self || !rt.ex) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    end_process(kind_of(number, info->si_code), describe_signal(number, info, where.pc),
                info->si_addr, context);
}

/* ---- Set-up -------------------------------------------------------------------------- */

static void install(int number, int flags, void (*action)(int, siginfo_t *, void *))
{
    struct sigaction handler = {.sa_flags = SA_SIGINFO | SA_ONSTACK | flags};
    handler.sa_sigaction = action;
    sigemptyset(&handler.sa_mask);
    sigaction(number, &handler, NULL);
}

void crash_init(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    stack_t stack = {.ss_size = SIGNAL_STACK};
    stack.ss_sp = mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp != MAP_FAILED)
        sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        install(fatal[i], SA_NODEFER, on_fatal_signal);
}
