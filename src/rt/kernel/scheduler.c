/* scheduler.c - see scheduler.h
 *
 * The decision is taken by the thread that has just parked, and the switch leads from its
 * stack directly to the next one's; scheduler_run gets control back only at the end.
 */
#include "rt/kernel/scheduler.h"

#include <errno.h>
#include <string.h>

#include "rt/actors/actor.h"
#include "rt/actors/actor_mail.h"
#include "rt/detect/bug.h"
#include "rt/detect/deadlock.h"
#include "rt/inputs/stamp.h"
#include "rt/kernel/coro.h"
#include "rt/kernel/fpenv.h"
#include "rt/kernel/node.h"
#include "rt/kernel/process.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/spin/park.h"
#include "rt/spin/spin.h"
#include "rt/sync/atomic.h"
#include "rt/weak/weak_step.h"

/* ---- Enabledness ------------------------------------------------------- */

static int64_t memory_value(const Access *access)
{
    unsigned first = (unsigned)__builtin_ctz(access->lanes);
    unsigned size = (unsigned)__builtin_popcount(access->lanes);
    uint64_t value = 0;
    memcpy(&value, (const char *)(uintptr_t)word_address(access->resource) + first, size);
    return (int64_t)value;
}

/* The value that the events so far left in a resource that has no live value. */
static int64_t recorded_value(const Access *access)
{
    const Execution *ex = rt.ex;
    uint8_t missing = access->lanes;
    uint64_t word = 0;
    for (uint32_t i = ex->access_count; i-- > 0 && missing;) {
        const Access *record = &ex->accesses[i];
        uint8_t found = record->lanes & missing;
        if (record->resource != access->resource || !found)
            continue;
        word |= lanes_place(record->after, record->lanes) & lanes_mask(found);
        missing &= (uint8_t)~found;
    }
    return lanes_value(word, access->lanes);
}

int64_t scheduler_guard_value(const Access *access, const int64_t *live)
{
    if (live)
        return *live;
    if (access->resource >> 56 == RES_MEMORY)
        return memory_value(access);
    if (stamp_is_resource(access->resource))
        return stamp_value(access->resource, access->lanes);
    if (access->resource >> 56 == RES_RELEASES)
        return spin_releases(access->resource);
    return recorded_value(access);
}

bool scheduler_guard_holds(const Access *access, const int64_t *live)
{
    int64_t value = scheduler_guard_value(access, live);
    return access->relation == REL_PROGRAM ? actor_guard_holds((uint64_t)access->operand, value)
                                           : access_condition_holds(access, value);
}

bool scheduler_weak_guard_holds(const Access *access)
{
    uint32_t position = rt.ex->event_count;
    const PlanStep *step = position < rt.plan_length ? &rt.plan[position] : NULL;
    if (step && !step->choice_count && rt.ex->picker)
        return true; /* which chooses the write */
    if (!step || !step->choice_count)
        return scheduler_guard_holds(access, NULL);
    return weak_guard_holds(access, rt.ex->plan_choices[step->first_choice].taken);
}

static bool guards_hold(const Access *accesses, const int64_t *const *live, unsigned count, bool any)
{
    for (unsigned i = 0; i < count; i++) {
        if (accesses[i].role != ROLE_GUARD)
            continue;
        if (scheduler_guard_holds(&accesses[i], live[i]) == any)
            return any;
    }
    return !any;
}

static Thread *enabled_from(AgentId first);

/* Is there a thread whose assumption fails, as far as it has come? */
static bool some_assume(void)
{
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++)
        if (rt.pending[agent / 64] >> agent % 64 & 1 && thread_get(agent)->pending.op == OP_ASSUME)
            return true;
    return false;
}

/* What waits until nothing else happens must not continue because an agent was stopped: in the program that agent would
 * have done something. (CUT-3) */
static bool may_be_quiet(void) { return !rt.stopped_agents && !rt.waits_past_bound && !some_assume(); }

static bool guards_of_pending_hold(const Thread *thread)
{
    const Pending *pending = &thread->pending;
    return guards_hold(pending->accesses, pending->live, pending->count, pending->flags & EVENT_GUARD_ANY);
}

bool scheduler_waits_weakly(const Thread *thread)
{
    const Pending *pending = &thread->pending;
    return thread->state == THREAD_PENDING && pending->guards && pending->accesses[0].order != ORDER_STRONG &&
           !scheduler_holds(thread) && !guards_of_pending_hold(thread);
}

bool scheduler_is_enabled(const Thread *thread)
{
    const Pending *pending = &thread->pending;
    if (thread->state != THREAD_PENDING)
        return false;
    if (UNLIKELY(pending->flags & EVENT_QUIET))
        return may_be_quiet() && !enabled_from(0);
    return pending->guards == 0 || (!scheduler_holds(thread) && guards_of_pending_hold(thread));
}

/* ---- Parking: the announced operation moves to the thread and back ---------- */

static void reserve_pending(Pending *pending, unsigned count)
{
    if (count <= pending->capacity)
        return;
    pending->capacity = count * 2;
    pending->accesses = transient_alloc(pending->capacity * sizeof *pending->accesses);
    pending->live = transient_alloc(pending->capacity * sizeof *pending->live);
}

static void set_pending(Thread *thread)
{
    thread->state = THREAD_PENDING;
    rt.pending[thread->id / 64] |= 1ull << thread->id % 64;
    rt.quiet_waiters += (thread->pending.flags & EVENT_QUIET) != 0;
}

static void park_announced(Thread *self)
{
    const Announced *announced = &rt.announced;
    Pending *pending = &self->pending;
    reserve_pending(pending, announced->count);
    for (unsigned i = 0; i < announced->count; i++)
        access_copy_fresh(&pending->accesses[i], &rt.accesses[rt.ex->access_count + i]);
    if (announced->guards)
        for (unsigned i = 0; i < announced->count; i++)
            pending->live[i] = announced->live[i];
    pending->site = announced->site;
    pending->op = announced->op;
    pending->flags = announced->flags;
    pending->count = announced->count;
    pending->guards = announced->guards;
    self->frame = rt.frame;
    self->frame.parks++;
    self->saved_errno = *rt.errno_location;
    set_pending(self);
}

/* Opens the event of the operation a thread has waited with. */
static ALWAYS_INLINE Event *unpark(Thread *self)
{
    const Pending *pending = &self->pending;
    Access *accesses = &rt.accesses[rt.ex->access_count];
    Event *event = step_open(self, pending->op, pending->site, pending->count, pending->flags);
    for (unsigned i = 0; i < pending->count; i++)
        accesses[i] = pending->accesses[i];
    return event;
}

/* ---- Deciding ------------------------------------------------------------ */

static Thread *stop_with(ExecutionEnd end)
{
    rt.ex->end = end;
    return NULL;
}

static bool is_enabled_as_planned(const Thread *thread)
{
    const Pending *pending = &thread->pending;
    if (thread->state == THREAD_PENDING && pending->guards && UNLIKELY(pending->accesses[0].order != ORDER_STRONG))
        return scheduler_weak_guard_holds(&pending->accesses[0]);
    return scheduler_is_enabled(thread);
}

static Thread *take_planned(uint32_t position)
{
    AgentId agent = rt.plan[position].agent;
    if (agent < rt.ex->agent_count && is_enabled_as_planned(thread_get(agent)))
        return thread_get(agent);
    rt.ex->diverged_at = position;
    return stop_with(END_DIVERGED);
}

/* The enabled thread with the smallest number from `first` on, except for those that wait
 * until no other agent is enabled (EVENT_QUIET). */
static Thread *enabled_from(AgentId first)
{
    uint64_t mask = UINT64_MAX << first % 64;
    for (uint32_t word = first / 64; word * 64 < rt.ex->agent_count; word++, mask = UINT64_MAX)
        for (uint64_t bits = rt.pending[word] & mask; bits; bits &= bits - 1) {
            Thread *thread = thread_get(word * 64 + (uint32_t)__builtin_ctzll(bits));
            if (!(thread->pending.flags & EVENT_QUIET) && scheduler_is_enabled(thread))
                return thread;
        }
    return NULL;
}

/* No other agent is enabled: continues with one that waits for that, each in its turn. */
static Thread *take_quiet(void)
{
    Thread *next = NULL;
    for (AgentId agent = 0; rt.quiet_waiters && may_be_quiet() && agent < rt.ex->agent_count; agent++) {
        Thread *thread = thread_get(agent);
        if (rt.pending[agent / 64] >> agent % 64 & 1 && thread->pending.flags & EVENT_QUIET &&
            (!next || park_count(thread) < park_count(next)))
            next = thread;
    }
    return next ? next : stop_with(END_COMPLETE);
}

static bool some_wait_weakly(void)
{
    for (AgentId agent = 0; rt.ex->memory != MEMORY_SC && agent < rt.ex->agent_count; agent++)
        if (rt.pending[agent / 64] >> agent % 64 & 1 && scheduler_waits_weakly(thread_get(agent)))
            return true;
    return false;
}

/* What waits for a value may read an older write, if the picker says so (WEAK-3). */
static Thread *take_picked(void)
{
    bool enabled = enabled_from(0);
    if (!enabled && !some_wait_weakly())
        return take_quiet();
    AgentId agent = rt.ex->picker->pick(rt.ex->picker, rt.ex, rt.last);
    if (agent == AGENT_NONE && !enabled)
        return take_quiet();
    if (agent >= rt.ex->agent_count ||
        (!scheduler_is_enabled(thread_get(agent)) && !scheduler_waits_weakly(thread_get(agent))))
        return stop_with(END_ABANDONED);
    return thread_get(agent);
}

/* A prime number of steps: otherwise a thread that polls under a lock could hold it at the end of every slice. */
static void begin_slice(uint32_t position)
{
    if (rt.look)
        return;
    enum { SLICE = 997, LAST = EXECUTION_MAX_EVENTS - 4 };
    rt.slice_end = position < LAST - SLICE ? position + SLICE : LAST;
    rt.free_until = rt.mark_at == UINT32_MAX ? rt.slice_end : 0;
}

/* A polling thread could prevent forever what it waits for: after many steps, or when it
 * yields, a thread lets the next one continue. */
static Thread *take_default(void)
{
    uint32_t position = rt.ex->event_count;
    Thread *last = rt.last == AGENT_NONE ? NULL : thread_get(rt.last), *next = NULL;
    if (last && position < rt.slice_end && !(last->pending.flags & EVENT_QUIET) && scheduler_is_enabled(last))
        return last;
    if (last && position >= rt.slice_end)
        next = enabled_from(rt.last + 1);
    if (!next)
        next = enabled_from(0);
    begin_slice(position);
    return next ? next : take_quiet();
}

/* An execution that fills the log cannot be distinguished from one that never terminates. */
static bool log_is_full(void)
{
    uint32_t most = rt.ex->agent_count > 1 ? EXECUTION_MAX_SHARED_EVENTS : EXECUTION_MAX_EVENTS;
    return rt.ex->event_count + 2 >= most ||
           rt.ex->access_count + 2 * MAX_ANNOUNCED + RT_MAX_AGENTS >= EXECUTION_MAX_ACCESSES ||
           rt.ex->choice_count + 2 >= EXECUTION_MAX_CHOICES;
}

static Thread *cut_endless(void)
{
    execution_cut(rt.ex, CUT_LOG);
    return stop_with(END_CUT);
}

/* The thread of the next step; NULL if the execution is over, and ex->end says how. */
static Thread *decide(void)
{
    uint32_t position = rt.ex->event_count;
    if (UNLIKELY(position == rt.mark_at)) {
        rt.marks = true;
        return NULL;
    }
    if (position >= rt.stop_at)
        return stop_with(END_PLANNED);
    if (UNLIKELY(log_is_full()))
        return cut_endless();
    if (UNLIKELY(rt.look != NULL))
        rt.look();
    if (position < rt.plan_length)
        return take_planned(position);
    return rt.ex->picker ? take_picked() : take_default();
}

/* ---- Switching -------------------------------------------------------------- */

/* Leaves the context of `from` (NULL: without saving it) for that of `to` (NULL: of scheduler_run). */
static ALWAYS_INLINE void switch_to(Thread *from, Thread *to)
{
    void *load = to ? to->borrows ? *to->borrows : to->context : rt.main_context;
    if (UNLIKELY(to && to->process != rt.process))
        load = process_exchange(to->process, load);
    if (from) {
        from->saved_errno = *rt.errno_location;
        from->noise = sennit_rt_noise;
    }
    if (to) {
        *rt.errno_location = to->saved_errno;
        sennit_rt_noise = to->noise;
    }
    rt.self = to;
    if (UNLIKELY(to && to->node != rt.node))
        node_switch(to->node);
    if (UNLIKELY(rt.fp_control))
        fpenv_switch(from, to);
    if (from)
        coro_switch(&from->context, load);
    else
        coro_jump(load);
}

/* The same for code that will continue as another thread. */
static void switch_from(void **context, Thread *to)
{
    int saved_errno = *rt.errno_location;
    void *load = to ? to->borrows ? *to->borrows : to->context : rt.main_context;
    if (to) {
        *rt.errno_location = to->saved_errno;
        sennit_rt_noise = to->noise;
    }
    if (UNLIKELY(rt.fp_control))
        fpenv_switch(rt.self, to);
    if (UNLIKELY(to && to->node != rt.node))
        node_switch(to->node);
    rt.self = to;
    coro_switch(context, load);
    *rt.errno_location = saved_errno;
    sennit_rt_noise = 1; /* an actor that handles its next message */
}

static bool is_preemption(const Thread *self)
{
    const Thread *last = rt.last == AGENT_NONE ? self : thread_get(rt.last);
    if (last == self || last->state != THREAD_PENDING)
        return false;
    return !(last->pending.guards || last->pending.flags & EVENT_QUIET) || scheduler_is_enabled(last);
}

/* The step of a parked thread begins. */
static ALWAYS_INLINE void begin_step(Thread *self)
{
    bool preempts = is_preemption(self);
    Event *event = unpark(self);
    self->state = THREAD_RUNNING;
    rt.pending[self->id / 64] &= ~(1ull << self->id % 64);
    rt.quiet_waiters -= (self->pending.flags & EVENT_QUIET) != 0;
    self->borrows = NULL;
    self->segment = (Fingerprint){0, 0};
    rt.frame = self->frame;
    sennit_rt_site = (const SennitSite *)(uintptr_t)self->pending.site;
    self->special &= (uint16_t)~SPECIAL_FIRST;
    rt.last = self->id;
    if (preempts)
        event->flags |= EVENT_PREEMPTS;
}

/* The thread waits for a value that it assumes, and will not get it. */
static _Noreturn void assume_in_vain(Thread *self)
{
    self->state = THREAD_RUNNING;
    rt.pending[self->id / 64] &= ~(1ull << self->id % 64);
    sennit_rt_site = (const SennitSite *)(uintptr_t)self->pending.site;
    atomic_assume_in_vain(self);
}

void scheduler_park(Thread *self)
{
    park_announced(self);
    if (self->pending.guards && !scheduler_is_enabled(self))
        deadlock_check_cycle(self);
    Thread *next = rt.starter ? rt.starter : decide();
    if (next != self)
        switch_to(self, next);
    if (UNLIKELY(rt.over))
        assume_in_vain(self);
    begin_step(self);
}

void scheduler_begin(Thread *self) { begin_step(self); }

void scheduler_make_pending(Thread *thread, OpKind op, uint64_t site, const Access *accesses, unsigned count,
                            const int64_t *live)
{
    Pending *pending = &thread->pending;
    pending->guards = 0;
    for (unsigned i = 0; i < count; i++) {
        pending->accesses[i] = accesses[i];
        pending->live[i] = live;
        if (accesses[i].role == ROLE_GUARD)
            pending->guards++;
    }
    pending->site = site;
    pending->op = (uint16_t)op;
    pending->flags = 0;
    pending->count = (uint16_t)count;
    set_pending(thread);
}

/* If the next step belongs to the same code, no switch is needed. */
void scheduler_hand_over(void **context)
{
    Thread *self = rt.self;
    self->state = THREAD_OVER;
    Thread *next = rt.starter ? rt.starter : decide();
    if (next && next->borrows == context)
        rt.self = next;
    else
        switch_from(context, next);
    begin_step(rt.self);
}

void scheduler_leave(void)
{
    Thread *self = rt.self;
    self->state = THREAD_OVER;
    self->context = __builtin_frame_address(0); /* for the search for leaks, if it was stopped */
    switch_to(NULL, rt.starter ? rt.starter : rt.over ? NULL : decide());
    __builtin_unreachable();
}

void scheduler_finish(ExecutionEnd end)
{
    rt.ex->end = end;
    rt.starter = NULL;
    switch_to(NULL, NULL);
    __builtin_unreachable();
}

void scheduler_need_choice(void)
{
    if (LIKELY(execution_has_choice(rt.ex)))
        return;
    execution_cut(rt.ex, CUT_LOG);
    scheduler_finish(END_CUT);
}

void scheduler_start_children(Thread *self)
{
    const SennitSite *site = sennit_rt_site;
    Thread *outer = rt.starter; /* the creator of `self`, if that is being started too */
    CallFrame frame = rt.frame;
    rt.starter = self;
    while (self->next_new != AGENT_NONE) {
        Thread *child = thread_get(self->next_new);
        self->next_new = child->next_new;
        child->next_new = AGENT_NONE;
        child->state = THREAD_RUNNING;
        rt.frame.base = 0; /* code of the program */
        switch_to(self, child);
    }
    rt.starter = outer;
    rt.frame = frame;
    sennit_rt_site = site;
}

/* Up to a mark, and behind it, the running thread may continue at once. */
static void set_fast_path(void)
{
    uint32_t planned = rt.ex->stop_after_plan && rt.plan_length ? rt.plan_length - 1 : rt.plan_length;
    rt.fast_plan = rt.look ? 0 : planned < rt.mark_at ? planned : rt.mark_at;
    rt.free_until = rt.mark_at == UINT32_MAX ? rt.slice_end : 0;
}

static void pass_mark(void)
{
    rt.marks = false;
    rt.mark();
    set_fast_path();
}

/* Runs from this thread on until the execution is over. */
static void run_from(Thread *next)
{
    int saved_errno = *rt.errno_location;
    while (next) {
        rt.self = next;
        sennit_rt_noise = next->noise;
        *rt.errno_location = next->saved_errno;
        coro_switch(&rt.main_context, next->borrows ? *next->borrows : next->context);
        if (LIKELY(!rt.marks))
            break;
        pass_mark();
        next = decide();
    }
    *rt.errno_location = saved_errno;
    rt.self = NULL;
    rt.starter = NULL;
}

void scheduler_run(void (*body)(void *))
{
    Thread *first = thread_make(0, AGENT_NONE, body, NULL);
    first->state = THREAD_RUNNING;
    if (!rt.ex->picker && !rt.ex->stop_after_plan)
        begin_slice(rt.plan_length);
    set_fast_path();
    run_from(first);
}

/* What follows a mark that was kept behind a thread's yielding follows it again. */
void scheduler_continue(uint32_t slice_end)
{
    if (slice_end > rt.ex->event_count)
        begin_slice(rt.plan_length);
    else
        rt.slice_end = slice_end;
    set_fast_path();
    run_from(decide());
}

/* ---- The end ------------------------------------------------------------------ */

static void add_blocked(const Thread *thread)
{
    Execution *ex = rt.ex;
    const Pending *pending = &thread->pending;
    Blocked *blocked = &ex->blocked[ex->blocked_count++];
    blocked->agent = thread->id;
    ex->idle_count += actor_is_idle(thread->pending.op) || node_is_idle(thread);
    blocked->first_access = ex->access_count;
    blocked->access_count = pending->count;
    blocked->op = pending->op;
    blocked->flags = pending->flags;
    blocked->site = pending->site;
    for (unsigned i = 0; i < pending->count; i++) {
        Access *access = &ex->accesses[ex->access_count++];
        *access = pending->accesses[i];
        access->before = access->after = scheduler_guard_value(access, pending->guards ? pending->live[i] : NULL);
    }
}

bool scheduler_holds_up(void)
{
    for (uint32_t i = 0; i < rt.ex->held_count; i++) {
        const Thread *thread = thread_get(rt.ex->held[i].agent);
        if (thread->state == THREAD_PENDING && scheduler_holds(thread) && guards_of_pending_hold(thread))
            return true;
    }
    return false;
}

void scheduler_list_blocked(void)
{
    for (uint32_t word = 0; word * 64 < rt.ex->agent_count; word++)
        for (uint64_t bits = rt.pending[word]; bits; bits &= bits - 1) {
            const Thread *thread = thread_get(word * 64 + (uint32_t)__builtin_ctzll(bits));
            if (!(thread->pending.flags & EVENT_QUIET) && !scheduler_is_enabled(thread))
                add_blocked(thread);
        }
}

static void resume_at_end(Thread *thread)
{
    int saved_errno = *rt.errno_location;
    *rt.errno_location = thread->saved_errno;
    sennit_rt_noise = thread->noise;
    rt.self = thread;
    if (thread->node != rt.node)
        node_switch(thread->node);
    void *load = thread->context;
    if (UNLIKELY(thread->process != rt.process))
        load = process_exchange(thread->process, load);
    coro_switch(&rt.main_context, load);
    *rt.errno_location = saved_errno;
    rt.self = NULL;
}

void scheduler_fail_assumptions(void)
{
    rt.over = true;
    for (uint32_t i = 0; i < rt.ex->blocked_count; i++)
        if (rt.ex->blocked[i].op == OP_ASSUME)
            resume_at_end(thread_get(rt.ex->blocked[i].agent));
    rt.over = false;
}
