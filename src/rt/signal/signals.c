/* signals.c - see signals.h */
#include "rt/signal/signals.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/detect/unseen.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/calls.h"
#include "rt/kernel/identity.h"
#include "rt/kernel/process.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/signal/interrupt.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/plain.h"

/* What a process knows of signals in an execution. */
typedef struct ProcessSignals {
    SignalAction actions[SIGNALS];
    SignalQueue queue;
    int64_t first_blocks; /* the mask of the first thread, outside handlers */
} ProcessSignals;

static struct {
    uint32_t run; /* of the execution that this belongs to */
    ProcessSignals *now;
    SignalAction *initially; /* SIGNALS of them; NULL: as the system has them */
} signals;

/* What those that fork has made know. */
static ProcessSignals *made[RT_PROCESSES];

enum { PROCESS_SHIFT = 41 }; /* in names of RES_PENDING */

static uint64_t mask_of_first(unsigned process)
{
    return resource_make(RES_PENDING, 1ull << 40 | process_bits_of(process, PROCESS_SHIFT));
}

uint64_t signals_resource_of(unsigned process, int number)
{
    return resource_make(RES_SIGNAL, (uint64_t)number | process_bits_of(process, 8));
}

uint64_t signals_resource(int number) { return signals_resource_of(process_self(), number); }

void signals_init(void) { node_keep(&signals, sizeof signals); }

bool signals_valid(int number) { return number > 0 && number <= SIGNALS; }

static ProcessSignals *of_first(void)
{
    if (signals.run == rt.execution && signals.now)
        return signals.now;
    signals.run = rt.execution;
    signals.now = transient_alloc(sizeof *signals.now);
    if (signals.initially)
        memcpy(signals.now->actions, signals.initially, sizeof signals.now->actions);
    return signals.now;
}

static ProcessSignals *of(unsigned process) { return process ? made[process] : of_first(); }
static ProcessSignals *current(void) { return of(process_self()); }

static SignalAction *action_of(int number) { return &current()->actions[number - 1]; }

void signals_fork(unsigned process)
{
    made[process] = transient_alloc(sizeof *made[process]);
    memcpy(made[process]->actions, current()->actions, sizeof current()->actions);
    made[process]->first_blocks = (int64_t)lifetime_self()->signals_blocked;
}

/* ---- What can happen in this program --------------------------------------------------------- */

static bool calls_one_of(const char *const *functions)
{
    while (*functions && !calls_contain(*functions))
        functions++;
    return *functions;
}

static bool can_come(void)
{
    static const char *const senders[] = {"kill", "pthread_kill", "sigqueue", "pthread_sigqueue", "tgkill", "alarm",
                                          "ualarm", "setitimer", "timer_create", NULL};
    static const char *const receivers[] = {"signal", "bsd_signal", "__sysv_signal", "sysv_signal", "ssignal", "sigset",
                                            "sigaction", "sigwait", "sigwaitinfo", "sigtimedwait", "sigsuspend",
                                            "pause", NULL};
    if (!calls_are_listed())
        return false;
    if (process_is_possible())
        return calls_one_of(senders) || calls_one_of(receivers);
    return calls_one_of(senders) && calls_one_of(receivers);
}

/* In a cluster the programs can only send themselves signals. */
bool signals_come(void)
{
    static enum { UNKNOWN, NO, YES } answer; /* the same for the whole process */
    if (UNLIKELY(answer == UNKNOWN))
        answer = can_come() ? YES : NO;
    return answer == YES && !node_self();
}

/* ---- What waits --------------------------------------------------------------------------------- */

SignalQueue *signals_queue(ThreadRecord *thread)
{
    if (!thread)
        return &current()->queue;
    if (!thread->signals)
        thread->signals = transient_alloc(sizeof *thread->signals);
    return thread->signals;
}

int64_t signals_waiting(unsigned process) { return of(process)->queue.waiting; }

uint64_t signals_queue_name(const ThreadRecord *thread)
{
    return resource_make(RES_PENDING, thread ? 1 + (uint64_t)thread->agent : process_bits(PROCESS_SHIFT));
}

/* ---- Dispositions ------------------------------------------------------------------------ */

static int64_t value_of(const SignalAction *action)
{
    if (!signals_is_handler(action))
        return action->handler.plain == SIG_IGN;
    uint64_t address = (uint64_t)(uintptr_t)action->handler.plain, flags = (uint32_t)action->flags;
    return (int64_t)(((address ^ action->mask) * 31 ^ flags) << 1 >> 1 | 2);
}

int64_t signals_value(int number) { return value_of(action_of(number)); }
int64_t signals_value_of(unsigned process, int number) { return value_of(&of(process)->actions[number - 1]); }

bool signals_forgets_children(unsigned process)
{
    const SignalAction *action = &of(process)->actions[SIGCHLD - 1];
    return action->handler.plain == SIG_IGN || action->flags & SA_NOCLDWAIT;
}

bool signals_survives(int number) { return signals_value(number) != 0; }

bool signals_matter(int number)
{
    return signals_blocked(number) || signals_is_handler(action_of(number));
}

int signals_broken_pipe(void)
{
    signals_send_self(SIGPIPE, &(SignalSource){.code = SI_USER, .function = "write to a pipe that has no reader"});
    errno = EPIPE;
    return -1;
}

void signals_set_initially(int number, SignalAction action)
{
    if (!signals_valid(number))
        return;
    if (!signals.initially)
        signals.initially = mem_alloc(SIGNALS * sizeof *signals.initially);
    signals.initially[number - 1] = action;
}

static bool is_ignored_by_default(int number)
{
    return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

static bool has_no_effect(const SignalAction *action, int number)
{
    return action->handler.plain == SIG_IGN || (action->handler.plain == SIG_DFL && is_ignored_by_default(number));
}

/* Whoever ignores a signal drops it where it waits: for the process, for the first thread, which gets those for the
 * process, and for the thread itself. */
static unsigned list_holders(ThreadRecord *holders[3])
{
    holders[0] = NULL;
    holders[1] = lifetime_first();
    holders[2] = lifetime_self();
    return holders[1] == holders[2] ? 2 : 3;
}

static void announce_drop(int number)
{
    ThreadRecord *holders[3];
    unsigned count = list_holders(holders);
    for (AgentId agent = 1; agent < rt.ex->agent_count; agent++) {
        const ThreadRecord *thread = *thread_slot(agent);
        if (thread && thread != lifetime_self() && !thread->end && thread->signals &&
            thread_get(agent)->process == process_self() &&
            thread->signals->waiting & (int64_t)signals_bit(number))
            report_not_modelled("ignoring a signal that waits for another thread");
    }
    for (unsigned i = 0; i < count; i++) {
        Access *access = step_touch(signals_queue_name(holders[i]), MODE_READ);
        step_switch(access, REL_NE, 0, MODE_WRITE, MODE_READ);
        access->mask = signals_bit(number);
    }
}

static void drop_waiting(int number)
{
    ThreadRecord *holders[3];
    unsigned count = list_holders(holders);
    for (unsigned i = 0; i < count; i++) {
        SignalQueue *queue = signals_queue(holders[i]);
        int64_t before = queue->waiting;
        queue->waiting &= ~(int64_t)signals_bit(number);
        step_mode(1 + i, queue->waiting == before ? MODE_READ : MODE_WRITE);
        step_value(1 + i, before, queue->waiting);
    }
}

SignalAction signals_set(int number, SignalAction action)
{
    bool ignored = has_no_effect(&action, number), drops = signals_come() && ignored;
    step_begin(OP_SIGNAL, signals_resource(number));
    if (drops)
        announce_drop(number);
    step_wait();
    int64_t value = signals_value(number);
    SignalAction before = *action_of(number);
    *action_of(number) = action;
    step_value(0, value, signals_value(number));
    if (drops)
        drop_waiting(number);
    SignalQueue *own = lifetime_self()->sent;
    if (ignored && own)
        own->waiting &= ~(int64_t)signals_bit(number);
    race_release(signals_resource(number));
    step_done();
    return before;
}

static SignalAction read_action(OpKind op, int number)
{
    step_begin(op, signals_resource(number))->mode = MODE_READ;
    step_wait();
    int64_t value = signals_value(number);
    step_value(0, value, value);
    race_acquire(signals_resource(number));
    return *action_of(number);
}

SignalAction signals_get(int number)
{
    SignalAction action = read_action(OP_SIGNAL_GET, number);
    step_done();
    return action;
}

static bool stops(int number)
{
    return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

/* ---- Handlers ----------------------------------------------------------------------------------- */

static void call_detailed(const SignalAction *action, int number, const SignalSource *source)
{
    siginfo_t info;
    ucontext_t context;
    memset(&info, 0, sizeof info);
    memset(&context, 0, sizeof context);
    info.si_signo = number;
    info.si_code = source->code;
    if (source->code != SI_KERNEL)
        info.si_pid = source->process ? source->process : process_number(process_self());
    info.si_value = source->value;
    if (number == SIGCHLD && source->process)
        info.si_status = source->status;
    memcpy(&context.uc_sigmask, &lifetime_self()->signals_blocked, sizeof(uint64_t));
    action->handler.detailed(number, &info, &context);
}

/* A handler that is about to run, as the kernel prepares it on the thread's stack. */
typedef struct HandlerFrame {
    SignalAction action;
    SignalSource source;
    int number;
    uint64_t blocked; /* before */
} HandlerFrame;

static void prepare(HandlerFrame *frame)
{
    ThreadRecord *self = lifetime_self();
    frame->blocked = self->masks_again ? self->mask_again : self->signals_blocked;
    if (self->masks_again)
        self->masks_again = self->no_point = false;
    self->signals_blocked |= frame->action.mask;
    if (!(frame->action.flags & SA_NODEFER))
        self->signals_blocked |= signals_bit(frame->number);
}

static void run(const HandlerFrame *frame)
{
    ThreadRecord *self = lifetime_self();
    const SennitSite *site = sennit_rt_site;
    self->handlers++;
    if (frame->action.flags & SA_SIGINFO)
        call_detailed(&frame->action, frame->number, &frame->source);
    else
        frame->action.handler.plain(frame->number);
    self->signals_blocked = frame->blocked;
    self->handlers--;
    sennit_rt_site = site;
}

static _Noreturn void end_process(int number, const SignalSource *source)
{
    if (stops(number))
        report_not_modelled("a signal that stops the process");
    if (process_self() && source->process && source->process != process_number(process_self()))
        process_end_by(number);
    report_bug(BUG_CRASH, "%s(%d): %s", source->function, number, strsignal(number));
    __builtin_unreachable();
}

/* Steps that belong to taking the signal: is there a handler to run? */
static bool find_handler(HandlerFrame *frame)
{
    ThreadRecord *self = lifetime_self();
    bool no_point = self->no_point;
    self->no_point = true;
    frame->action = read_action(OP_RAISE, frame->number);
    bool nothing = has_no_effect(&frame->action, frame->number);
    if (!nothing && !signals_is_handler(&frame->action))
        end_process(frame->number, &frame->source);
    step_done();
    if (!nothing && frame->action.flags & (int)SA_RESETHAND)
        signals_set(frame->number, (SignalAction){.handler.plain = SIG_DFL});
    self->no_point = no_point;
    return !nothing;
}

static SignalEffect effect_of(const HandlerFrame *frame)
{
    return frame->action.flags & SA_RESTART ? EFFECT_RESTARTS : EFFECT_INTERRUPTS;
}

/* The next one to be delivered, of those that the thread knows of and does not block; 0: none. */
static int take_next(SignalSource *source)
{
    if (interrupt_has_queue())
        return interrupt_next(source);
    const ThreadRecord *self = lifetime_self();
    uint64_t open = ~self->signals_blocked;
    for (int number = 1; number <= SIGNALS && self->sent; number++)
        if ((uint64_t)self->sent->waiting & open & signals_bit(number)) {
            self->sent->waiting &= ~(int64_t)signals_bit(number);
            *source = self->sent->source[number - 1];
            return number;
        }
    return 0;
}

/* As the kernel does: each handler is put on the stack, on top of the one before, as long as a signal is there that
 * those do not block; then the last one runs first. When one has returned, others may be open again. */
SignalEffect signals_deliver(int number, const SignalSource *source)
{
    HandlerFrame frames[SIGNALS];
    unsigned count = 0;
    SignalEffect worst = EFFECT_NONE;
    for (SignalSource next = *source; number; number = count < SIGNALS ? take_next(&next) : 0) {
        HandlerFrame *frame = &frames[count];
        *frame = (HandlerFrame){.number = number, .source = next};
        if (!find_handler(frame))
            continue;
        prepare(frame);
        worst = effect_of(frame) > worst ? effect_of(frame) : worst;
        count++;
    }
    while (count) {
        run(&frames[--count]);
        signals_deliver_known();
    }
    return worst;
}

bool signals_deliver_known(void)
{
    SignalSource source;
    int number = take_next(&source);
    return number && signals_deliver(number, &source) != EFFECT_NONE;
}

/* ---- Sending ------------------------------------------------------------------------------ */

static void put(SignalQueue *queue, int number, const SignalSource *source)
{
    bool there = queue->waiting & (int64_t)signals_bit(number);
    const SignalSource *first = &queue->source[number - 1];
    bool of_timer = there && source->code == SI_TIMER && first->code == SI_TIMER &&
                    first->value.sival_ptr == source->value.sival_ptr; /* it waits once */
    if (there && number >= SIGRTMIN && !of_timer)
        report_not_modelled("a real-time signal that is sent again before it is taken");
    if (!there)
        queue->source[number - 1] = *source;
    queue->waiting |= (int64_t)signals_bit(number);
}

/* Adds it to a queue in the step that runs, which commutes with others that do so. */
static void arrive(SignalQueue *queue, uint64_t name, int number, const SignalSource *source)
{
    Access *access = step_touch(name, MODE_ACCUMULATE_OR);
    access->operand = (int64_t)signals_bit(number);
    access->before = queue->waiting;
    put(queue, number, source);
    access->after = queue->waiting;
    race_release(name);
}

static void send_thread(ThreadRecord *to, int number, const SignalSource *source)
{
    SignalQueue *queue = signals_queue(to);
    Access *access = step_begin(OP_SIGNAL_ARRIVE, signals_queue_name(to));
    access->mode = MODE_ACCUMULATE_OR;
    access->operand = (int64_t)signals_bit(number);
    step_wait();
    int64_t before = queue->waiting;
    put(queue, number, source);
    step_value(0, before, queue->waiting);
    race_release(signals_queue_name(to));
    step_done();
}

void signals_send_self(int number, const SignalSource *source)
{
    ThreadRecord *self = lifetime_self();
    if (!signals_blocked(number)) {
        signals_deliver(number, source);
    } else if (interrupt_has_queue()) {
        send_thread(self, number, source);
        self->signals_known |= signals_bit(number);
    } else {
        if (!self->sent)
            self->sent = transient_alloc(sizeof *self->sent);
        put(self->sent, number, source);
    }
}

void signals_announce_to(unsigned process)
{
    step_touch(mask_of_first(process), MODE_READ);
    step_touch(resource_make(RES_END, process_get(process)->first), MODE_READ);
    step_opaque();
}

void signals_announce_process(void) { signals_announce_to(process_self()); }

/* As Linux does: the first thread gets it, unless it blocks the signal or has ended; then any other may take it. */
void signals_reach(unsigned process, unsigned nth, int number, const SignalSource *source)
{
    ThreadRecord *first = lifetime_first_of(process);
    int64_t blocked = of(process)->first_blocks;
    step_value(nth, blocked, blocked);
    step_value(nth + 1, first->end, first->end);
    bool takes = !first->end && !((uint64_t)blocked & signals_bit(number));
    if (takes && number == SIGCHLD && has_no_effect(&of(process)->actions[number - 1], number))
        return; /* the step of the end of a child reads what is done about it */
    if (takes)
        arrive(signals_queue(first), signals_queue_name(first), number, source);
    else
        arrive(&of(process)->queue, resource_make(RES_PENDING, process_bits_of(process, PROCESS_SHIFT)), number,
               source);
}

void signals_reach_process(unsigned nth, int number, const SignalSource *source)
{
    signals_reach(process_self(), nth, number, source);
}

static void send_process(int number, const SignalSource *source)
{
    step_begin(OP_SIGNAL_ARRIVE, 0);
    signals_announce_process();
    step_wait();
    signals_reach_process(0, number, source);
    step_done();
    if (signals_blocked(number)) /* the sender may have to take it when it does not */
        lifetime_self()->signals_known |= signals_bit(number);
}

int signals_send_to(unsigned process, int number, const SignalSource *source)
{
    Process *to = process_get(process);
    step_begin(OP_SIGNAL_ARRIVE, process_resource(process))->mode = MODE_READ;
    if (number)
        signals_announce_to(process);
    step_wait();
    step_value(0, to->life, to->life);
    bool exists = to->life != PROCESS_FORGOTTEN;
    if (number && to->life == PROCESS_RUNS)
        signals_reach(process, 1, number, source);
    step_done();
    return exists ? 0 : ESRCH;
}

/* Without handlers nothing can be noticed but the end of the process. */
static void look_only(int number, const SignalSource *source)
{
    SignalAction action = read_action(OP_RAISE, number);
    if (!has_no_effect(&action, number))
        report_not_modelled(source->function);
    step_done();
}

void signals_send_away(ThreadRecord *to, int number, const SignalSource *source)
{
    if (!signals_come()) {
        look_only(number, source);
        return;
    }
    if (to)
        send_thread(to, number, source);
    else
        send_process(number, source);
    interrupt_now(INTERRUPT_GOES_ON); /* the sender may be the only one that can take it */
}

/* ---- Blocking ------------------------------------------------------------------------------ */

bool signals_blocked(int number) { return lifetime_self()->signals_blocked & signals_bit(number); }

uint64_t signals_bits(const sigset_t *set)
{
    uint64_t bits;
    memcpy(&bits, set, sizeof bits);
    return bits & ~(signals_bit(SIGKILL) | signals_bit(SIGSTOP));
}

static void store_set(uint64_t bits, sigset_t *to)
{
    plain_write(address_of(to), sizeof *to);
    sigemptyset(to);
    memcpy(to, &bits, sizeof bits);
    shadow_memory_overwritten(to, sizeof *to);
}

/* Those that others have sent: a step. */
static int64_t look_at_queues(ThreadRecord *self)
{
    int64_t waiting = 0;
    step_begin(OP_SIGNAL_GET, signals_queue_name(NULL))->mode = MODE_READ;
    step_touch(signals_queue_name(self), MODE_READ);
    step_wait();
    for (unsigned i = 0; i < 2; i++) {
        const SignalQueue *queue = signals_queue(i ? self : NULL);
        step_value(i, queue->waiting, queue->waiting);
        waiting |= queue->waiting;
    }
    step_done();
    return waiting;
}

void signals_pending(sigset_t *set)
{
    ThreadRecord *self = lifetime_self();
    int64_t waiting = self->sent ? self->sent->waiting : 0;
    if (signals_come())
        waiting |= look_at_queues(self);
    store_set((uint64_t)waiting & self->signals_blocked, set);
}

/* Which threads a signal for the process reaches depends on the first one's mask: a step. */
static void set_mask(ThreadRecord *self, uint64_t mask)
{
    bool tells = process_is_first() && signals_come() && !self->handlers && mask != self->signals_blocked;
    if (tells && mask & ~self->signals_blocked)
        interrupt_now(INTERRUPT_GOES_ON);
    self->signals_blocked = mask;
    if (!tells)
        return;
    step_begin(OP_SIGNAL, mask_of_first(process_self()));
    step_wait();
    step_value(0, current()->first_blocks, (int64_t)mask);
    current()->first_blocks = (int64_t)mask;
    step_done();
}

int signals_mask(int how, const sigset_t *set, sigset_t *old)
{
    ThreadRecord *self = lifetime_self();
    uint64_t before = self->signals_blocked, given = 0;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (set) {
        plain_read(address_of(set), sizeof given);
        given = signals_bits(set);
        set_mask(self, how == SIG_BLOCK ? before | given : how == SIG_UNBLOCK ? before & ~given : given);
    }
    if (old)
        store_set(before, old);
    if (before & ~self->signals_blocked) {
        interrupt_now(INTERRUPT_GOES_ON);
        signals_deliver_known();
    }
    return 0;
}
