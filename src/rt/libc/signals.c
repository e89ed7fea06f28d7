/* signals.c - see signals.h */
#include "rt/libc/signals.h"

#include <errno.h>
#include <string.h>

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/node.h"
#include "rt/kernel/step.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/plain.h"

enum { SIGNALS = 64 };

static struct {
    uint32_t run; /* of the execution that this belongs to */
    uint64_t ignored, initially;
} signals;

static uint64_t bit(int number) { return 1ull << (number - 1); }

uint64_t signals_resource(int number)
{
    return resource_make(RES_SIGNAL, (uint64_t)number | node_bits(8));
}

void signals_init(void) { node_keep(&signals, sizeof signals); }

bool signals_valid(int number) { return number > 0 && number <= SIGNALS; }

static void forget_last_run(void)
{
    if (signals.run != rt.execution)
        signals.ignored = signals.initially;
    signals.run = rt.execution;
}

/* ---- Dispositions ------------------------------------------------------------------------ */

int64_t signals_ignored(int number)
{
    forget_last_run();
    return (signals.ignored & bit(number)) != 0;
}

void signals_set_initially(int number, bool ignored)
{
    if (signals_valid(number))
        signals.initially = ignored ? signals.initially | bit(number) : signals.initially & ~bit(number);
}

bool signals_set(int number, bool ignored)
{
    step_begin(OP_SIGNAL, signals_resource(number));
    step_wait();
    bool before = signals_ignored(number);
    step_value(0, before, ignored);
    signals.ignored = ignored ? signals.ignored | bit(number) : signals.ignored & ~bit(number);
    step_done();
    return before;
}

static int64_t read_value(OpKind op, int number)
{
    step_begin(op, signals_resource(number))->mode = MODE_READ;
    step_wait();
    int64_t ignored = signals_ignored(number);
    step_value(0, ignored, ignored);
    return ignored;
}

bool signals_get(int number)
{
    bool ignored = read_value(OP_SIGNAL_GET, number);
    step_done();
    return ignored;
}

static bool is_ignored_by_default(int number)
{
    return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

static bool stops(int number)
{
    return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

/* ---- Sending ------------------------------------------------------------------------------ */

/* A step: does the signal have no effect? */
static bool look(int number)
{
    return read_value(OP_RAISE, number) || is_ignored_by_default(number);
}

static void deliver(int number, const char *function)
{
    if (!look(number)) {
        if (stops(number))
            report_not_modelled("a signal that stops the process");
        report_bug(BUG_CRASH, "%s(%d): %s", function, number, strsignal(number));
    }
    step_done();
}

void signals_send_self(int number, const char *function)
{
    if (signals_blocked(number))
        lifetime_self()->signals_sent |= bit(number);
    else
        deliver(number, function);
}

void signals_send_away(int number, const char *function)
{
    if (!look(number))
        report_not_modelled(function);
    step_done();
}

/* ---- Blocking ------------------------------------------------------------------------------ */

bool signals_blocked(int number) { return lifetime_self()->signals_blocked & bit(number); }

static uint64_t bits_of(const sigset_t *set)
{
    uint64_t bits;
    memcpy(&bits, set, sizeof bits);
    return bits & ~(bit(SIGKILL) | bit(SIGSTOP));
}

static void store_set(uint64_t bits, sigset_t *to)
{
    plain_write(address_of(to), sizeof *to);
    sigemptyset(to);
    memcpy(to, &bits, sizeof bits);
    shadow_memory_overwritten(to, sizeof *to);
}

void signals_pending(sigset_t *set) { store_set(lifetime_self()->signals_sent, set); }

static void deliver_unblocked(ThreadRecord *self)
{
    for (int number = 1; number <= SIGNALS; number++)
        if (self->signals_sent & ~self->signals_blocked & bit(number)) {
            self->signals_sent &= ~bit(number);
            deliver(number, "raise");
        }
}

int signals_mask(int how, const sigset_t *set, sigset_t *old)
{
    ThreadRecord *self = lifetime_self();
    uint64_t before = self->signals_blocked, given = 0;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (set) {
        plain_read(address_of(set), sizeof given);
        given = bits_of(set);
        self->signals_blocked = how == SIG_BLOCK ? before | given : how == SIG_UNBLOCK ? before & ~given : given;
    }
    if (old)
        store_set(before, old);
    deliver_unblocked(self);
    return 0;
}
