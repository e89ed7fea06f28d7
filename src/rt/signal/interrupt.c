/* interrupt.c - see interrupt.h */
#include "rt/signal/interrupt.h"

#include <string.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/detect/unseen.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/plain.h"

/* Bits that say how the thread is observed: a step that looks whether a signal is there is not part of that. */
enum { OBSERVED = SPECIAL_SPIN | SPECIAL_REPEAT | SPECIAL_CHANGES };

/* Signals that the thread may take; 0: none. */
static uint64_t takes(const Thread *thread)
{
    if (thread->actor || thread->message || thread->section_depth || thread->node)
        return 0;
    const ThreadRecord *self = lifetime_self();
    return self->ending ? 0 : ~self->signals_blocked;
}

/* ---- Taking ----------------------------------------------------------------------------------- */

/* The accesses of a step to what waits for the thread and for the process: adjacent, the nth and the next one. */
static void announce_queues(uint64_t wanted, bool waits)
{
    ThreadRecord *self = lifetime_self();
    for (int i = 0; i < 2; i++) {
        const SignalQueue *queue = signals_queue(i ? NULL : self);
        Access *access = step_touch(signals_queue_name(i ? NULL : self), MODE_READ);
        if (waits)
            step_guard(access, &queue->waiting, REL_NE, 0);
        else
            step_switch(access, REL_NE, 0, MODE_WRITE, MODE_READ);
        access->mask = wanted;
    }
    if (waits)
        step_guard_any();
}

static int take_lowest(SignalQueue *queue, uint64_t wanted, SignalSource *source)
{
    for (int number = 1; number <= SIGNALS; number++)
        if ((uint64_t)queue->waiting & wanted & signals_bit(number)) {
            queue->waiting &= ~(int64_t)signals_bit(number);
            *source = queue->source[number - 1];
            return number;
        }
    return 0;
}

/* Inside a step whose nth access and the next one are the queues: takes one of these signals, what was sent to the
 * thread before what was sent to the process. The thread knows then what else waits. */
static int take_one(unsigned nth, uint64_t wanted, SignalSource *source)
{
    int number = 0;
    lifetime_self()->signals_known = 0;
    for (unsigned i = 0; i < 2; i++) {
        ThreadRecord *holder = i ? NULL : lifetime_self();
        SignalQueue *queue = signals_queue(holder);
        int64_t before = queue->waiting;
        number = number ? number : take_lowest(queue, wanted, source);
        step_mode(nth + i, queue->waiting == before ? MODE_READ : MODE_WRITE);
        step_value(nth + i, before, queue->waiting);
        if (queue->waiting != before)
            race_acquire(signals_queue_name(holder));
        lifetime_self()->signals_known |= (uint64_t)queue->waiting;
    }
    return number;
}

static SignalEffect run_handlers(int number, const SignalSource *source)
{
    ThreadRecord *self = lifetime_self();
    self->interrupts++;
    SignalEffect effect = signals_deliver(number, source);
    self->interrupts--;
    if (effect != EFFECT_NONE && !rt.plain_visible)
        unseen_note(UNSEEN_HANDLER, "plain accesses", NULL);
    return effect;
}

/* ---- Between operations -------------------------------------------------------------------------- */

/* What the thread did last is taken into account first, and what handlers did. */
static void settle_others(Thread *self)
{
    self->special &= (uint16_t)~SPECIAL_SIGNALS;
    if (self->special)
        step_settle(self);
    self->special |= SPECIAL_SIGNALS;
}

static int take_in_step(Thread *self, uint64_t wanted, SignalSource *source)
{
    uint16_t kept = self->special & (OBSERVED | SPECIAL_SIGNALS);
    self->special &= (uint16_t)~kept;
    step_begin(OP_SIGNAL_LOOK, 0);
    announce_queues(wanted, false);
    step_wait();
    int number = take_one(0, wanted, source);
    step_done();
    self->special |= kept;
    return number;
}

static SignalEffect look(Thread *self, uint64_t wanted)
{
    SignalSource source;
    const SennitSite *site = sennit_rt_site;
    settle_others(self);
    int number = take_in_step(self, wanted, &source);
    SignalEffect effect = number ? run_handlers(number, &source) : EFFECT_NONE;
    if (number)
        settle_others(self);
    sennit_rt_site = site;
    return effect;
}

bool interrupt_has_queue(void)
{
    const Thread *self = rt.self;
    return self->special & SPECIAL_SIGNALS && !self->actor && !self->message && !self->node;
}

int interrupt_next(SignalSource *source)
{
    const ThreadRecord *self = lifetime_self();
    if (self->ending || !(self->signals_known & ~self->signals_blocked))
        return 0;
    settle_others(rt.self);
    return take_in_step(rt.self, ~self->signals_blocked, source);
}

void interrupt_point(Thread *self)
{
    uint64_t wanted = takes(self);
    if (wanted && !lifetime_self()->no_point && look(self, wanted) != EFFECT_NONE)
        unseen_note(UNSEEN_SIGNAL, "that reach a running thread late", NULL);
}

bool interrupt_now(Interruption what)
{
    Thread *self = rt.self;
    if (!(self->special & SPECIAL_SIGNALS) || !takes(self))
        return false;
    SignalEffect effect = look(self, takes(self));
    return what == INTERRUPT_FAILS ? effect != EFFECT_NONE : what == INTERRUPT_RESTARTS && effect == EFFECT_INTERRUPTS;
}

/* ---- Where an operation waits ---------------------------------------------------------------------- */

/* What a thread waits with. */
typedef struct InterruptedWait {
    Access *accesses;
    const int64_t **live;
    uint64_t site;
    uint16_t op, flags, count, guards;
} InterruptedWait;

static InterruptedWait keep_announced(void)
{
    InterruptedWait kept = {.site = rt.announced.site, .op = rt.announced.op, .flags = rt.announced.flags,
                    .count = rt.announced.count, .guards = rt.announced.guards};
    kept.accesses = transient_alloc(kept.count * sizeof *kept.accesses);
    kept.live = transient_alloc(kept.count * sizeof *kept.live);
    memcpy(kept.accesses, &rt.accesses[rt.ex->access_count], kept.count * sizeof *kept.accesses);
    memcpy(kept.live, rt.announced.live, kept.count * sizeof *kept.live);
    return kept;
}

static void announce_again(const InterruptedWait *kept)
{
    rt.announced.site = kept->site;
    rt.announced.op = kept->op;
    rt.announced.flags = kept->flags;
    rt.announced.count = kept->count;
    rt.announced.guards = kept->guards;
    memcpy(&rt.accesses[rt.ex->access_count], kept->accesses, kept->count * sizeof *kept->accesses);
    memcpy(rt.announced.live, kept->live, kept->count * sizeof *kept->live);
    rt.self->state = THREAD_PENDING;
}

/* The value of an access of the step that has just begun, before it. */
static int64_t value_before(const InterruptedWait *kept, unsigned nth)
{
    uint32_t all = rt.ex->access_count;
    rt.ex->access_count = step_event()->first_access;
    int64_t value = scheduler_guard_value(&kept->accesses[nth], kept->live[nth]);
    rt.ex->access_count = all;
    return value;
}

static bool is_enabled(const InterruptedWait *kept)
{
    bool any = kept->flags & EVENT_GUARD_ANY;
    for (unsigned i = 0; i < kept->count; i++)
        if (kept->accesses[i].role == ROLE_GUARD &&
            access_condition_holds(&kept->accesses[i], value_before(kept, i)) == any)
            return any;
    return !any;
}

/* The step takes signals instead of what the thread waits for: of that it only reads. */
static void leave_unchanged(const InterruptedWait *kept)
{
    for (unsigned i = 0; i < kept->count; i++) {
        int64_t value = value_before(kept, i);
        if (kept->accesses[i].mode != MODE_NONE)
            step_mode(i, MODE_READ);
        step_value(i, value, value);
    }
}

static bool can_be_interrupted(uint64_t wanted)
{
    return wanted && (rt.announced.guards == 1 || rt.announced.flags & EVENT_GUARD_ANY) &&
           rt.announced.count + 2u <= MAX_ANNOUNCED;
}

static bool fails(const ThreadRecord *self, SignalEffect effect)
{
    return self->interruption == INTERRUPT_FAILS ? effect != EFFECT_NONE
                                                 : self->interruption == INTERRUPT_RESTARTS &&
                                                       effect == EFFECT_INTERRUPTS;
}

/* Waits until the operation can take place, or a signal comes. Returns whether it takes place. */
static bool wait_once(Thread *self, const InterruptedWait *kept, uint64_t wanted, int *number, SignalSource *source)
{
    announce_queues(wanted, true);
    step_opaque();
    self->special &= (uint16_t)~SPECIAL_SIGNALS;
    step_wait_slow(self);
    self->special |= SPECIAL_SIGNALS;
    if (!is_enabled(kept)) {
        leave_unchanged(kept);
        *number = take_one(kept->count, wanted, source);
        step_done();
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        const SignalQueue *queue = signals_queue(i ? NULL : lifetime_self());
        step_value(kept->count + i, queue->waiting, queue->waiting);
    }
    return true;
}

bool interrupt_wait(Thread *self)
{
    ThreadRecord *record = lifetime_self();
    uint64_t wanted = takes(self);
    if (!can_be_interrupted(wanted))
        return false;
    const InterruptedWait kept = keep_announced();
    for (;;) {
        int number;
        SignalSource source;
        if (wait_once(self, &kept, wanted, &number, &source))
            return true;
        Interruption allowed = record->interruption;
        record->interruption = INTERRUPT_GOES_ON;
        self->state = THREAD_RUNNING;
        SignalEffect effect = run_handlers(number, &source);
        record->interruption = allowed;
        if (fails(record, effect)) {
            record->interrupted = true;
            return true;
        }
        settle_others(self);
        announce_again(&kept);
    }
}

void interrupt_allow(Interruption what)
{
    if (rt.self)
        lifetime_self()->interruption = what;
}

bool interrupt_happened(void)
{
    if (!rt.self)
        return false;
    ThreadRecord *self = lifetime_self();
    bool happened = self->interrupted;
    self->interrupted = false;
    self->interruption = INTERRUPT_GOES_ON;
    return happened;
}

/* ---- Masks and waiting for signals ---------------------------------------------------------------------- */

uint64_t interrupt_mask(const sigset_t *mask)
{
    ThreadRecord *self = lifetime_self();
    uint64_t before = self->signals_blocked;
    if (mask) {
        plain_read(address_of(mask), sizeof before);
        self->signals_blocked = signals_bits(mask);
        self->no_point = self->masks_again = true;
        self->mask_again = before;
    }
    return before;
}

void interrupt_unmask(uint64_t before)
{
    ThreadRecord *self = lifetime_self();
    self->signals_blocked = before;
    self->no_point = self->masks_again = false;
}

static void refuse_in_node(void)
{
    if (rt.self->node)
        report_not_modelled("waiting for a signal in a node of a cluster");
}

void interrupt_pause(void)
{
    refuse_in_node();
    ThreadRecord *self = lifetime_self();
    const SignalQueue *queue = signals_queue(self);
    Access *access = step_begin(OP_SIGNAL_WAIT, signals_queue_name(self));
    access->mode = MODE_READ;
    step_guard(access, &queue->waiting, REL_NE, 0);
    access->mask = 0; /* nothing but a handler ends it */
    interrupt_allow(INTERRUPT_FAILS);
    step_wait();
    interrupt_happened();
}

int interrupt_take(uint64_t wanted, bool waits, SignalSource *source)
{
    refuse_in_node();
    ThreadRecord *self = lifetime_self();
    int number = self->sent ? take_lowest(self->sent, wanted, source) : 0;
    if (number)
        return number;
    step_begin(OP_SIGNAL_WAIT, 0);
    announce_queues(wanted, waits);
    step_opaque();
    interrupt_allow(INTERRUPT_FAILS);
    step_wait();
    if (interrupt_happened())
        return 0;
    number = take_one(0, wanted, source);
    step_done();
    return number;
}

void interrupt_unsafe(const char *function)
{
    if (rt.self && rt.self->special & SPECIAL_SIGNALS && lifetime_self()->interrupts)
        unseen_note(UNSEEN_UNSAFE, function, sennit_rt_site);
}

bool interrupt_missed(const Thread *thread)
{
    ThreadRecord *record = *thread_slot(thread->id);
    const Pending *pending = &thread->pending;
    if (!signals_come() || !record || pending->guards < 2 || pending->flags & EVENT_GUARD_ANY)
        return false;
    uint64_t waiting = (uint64_t)(signals_waiting(thread->process) | signals_queue(record)->waiting);
    return waiting & ~record->signals_blocked;
}
