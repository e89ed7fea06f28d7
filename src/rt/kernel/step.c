/* step.c - see step.h
 *
 * What the running thread announces is built at the end of ex->accesses: if it
 * continues at once, which is the common case, nothing is copied.
 */
#include "rt/kernel/step.h"

#include "rt/detect/bug.h"
#include "rt/detect/stack.h"
#include "rt/inputs/stamp.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/thread.h"
#include "rt/sync/plain.h"
#include "rt/spin/changes.h"
#include "rt/spin/repeat.h"
#include "rt/signal/interrupt.h"
#include "rt/detect/property.h"
#include "rt/sync/section.h"
#include "rt/spin/spin.h"

Runtime rt;
const SennitSite *sennit_rt_site;
uint8_t sennit_rt_noise;

/* Stands for the accesses of code that runs outside executions (constructors). */
static Access nowhere;

/* ---- Announcing ---------------------------------------------------------- */

static ALWAYS_INLINE void init_access(Access *access, uint64_t resource, Mode mode)
{
    *access = (Access){.resource = resource};
    access_set_tail(access, access_tail(ROLE_NONE, REL_TRUE, mode, MODE_NONE, MODE_NONE, LANES_ALL));
    if (UNLIKELY(stamp_is_resource(resource)))
        access->companion = true;
}

static Access *announce_access(uint64_t resource, Mode mode)
{
    Access *access = &rt.accesses[rt.ex->access_count + rt.announced.count];
    if (rt.announced.count == MAX_ANNOUNCED)
        report_not_modelled("an operation on more than 256 objects at once");
    init_access(access, resource, mode);
    rt.announced.live[rt.announced.count++] = NULL;
    return access;
}

Access *step_begin(OpKind op, uint64_t resource)
{
    Thread *self = rt.self;
    if (UNLIKELY(!self))
        return &nowhere;
    if (UNLIKELY(self->special))
        step_settle(self);
    rt.announced.op = (uint16_t)op;
    rt.announced.flags = 0;
    rt.announced.count = 0;
    rt.announced.guards = 0;
    rt.announced.site = site_name(sennit_rt_site);
    self->state = THREAD_PENDING;
    return resource ? announce_access(resource, MODE_WRITE) : NULL;
}

Access *step_touch(uint64_t resource, Mode mode)
{
    if (UNLIKELY(!rt.self))
        return &nowhere;
    if (rt.self->state == THREAD_PENDING)
        return announce_access(resource, mode);
    Access *access = execution_add_access(rt.ex);
    init_access(access, resource, mode);
    return access;
}

void step_guard(Access *access, const int64_t *live, Relation relation, int64_t operand)
{
    if (UNLIKELY(!rt.self))
        return;
    access_set_condition(access, ROLE_GUARD, relation, MODE_NONE, MODE_NONE);
    access->mask = UINT64_MAX;
    access->operand = operand;
    rt.announced.live[access - &rt.ex->accesses[rt.ex->access_count]] = live;
    rt.announced.guards++;
}

void step_guard_any(void) { rt.announced.flags |= EVENT_GUARD_ANY; }

void step_opaque(void)
{
    if (rt.self && rt.self->state == THREAD_RUNNING)
        step_event()->flags |= EVENT_OPAQUE;
    else
        rt.announced.flags |= EVENT_OPAQUE;
}

/* ---- The scheduling point -------------------------------------------------- */

static bool announced_guards_hold(void)
{
    const Access *accesses = &rt.ex->accesses[rt.ex->access_count];
    bool any = rt.announced.flags & EVENT_GUARD_ANY;
    if (UNLIKELY(rt.announced.guards && accesses[0].order != ORDER_STRONG))
        return !scheduler_holds(rt.self) && scheduler_weak_guard_holds(&accesses[0]);
    for (unsigned i = 0; i < rt.announced.count; i++)
        if (accesses[i].role == ROLE_GUARD &&
            scheduler_guard_holds(&accesses[i], rt.announced.live[i]) == any)
            return any;
    return !any;
}

void step_settle(Thread *self)
{
    if (self->special & SPECIAL_STORE)
        plain_settle(self);
    if (self->special & SPECIAL_CHILDREN) {
        self->special &= (uint16_t)~SPECIAL_CHILDREN;
        scheduler_start_children(self);
    }
    if (self->special & SPECIAL_SPIN)
        spin_absorb(self);
    if (self->special & SPECIAL_REPEAT)
        repeat_absorb(self);
    if (self->special & SPECIAL_SECTION)
        section_close(self);
    if (self->special & SPECIAL_CHANGES)
        changes_absorb(self);
    if (self->special & SPECIAL_SIGNALS)
        interrupt_point(self);
    if (self->special & SPECIAL_DEEP)
        thread_check_depth(__builtin_frame_address(0));
}

static void stop_at_bound(Thread *self)
{
    if (rt.ex->agents[self->id].steps >= self->max_steps)
        thread_cut(CUT_STEPS);
}

static __attribute__((noinline)) void park_verbosely(Thread *self)
{
    stack_record_wait(self->id);
    scheduler_park(self);
    if (rt.options.on_step)
        rt.options.on_step(rt.ex->event_count - 1);
}

/* What a step that writes accesses besides depends on the properties that it changes. */
static __attribute__((noinline)) void announce_properties(void)
{
    for (unsigned i = 0; i < rt.announced.count; i++) {
        const Access *access = &rt.ex->accesses[rt.ex->access_count + i];
        if (access->resource >> 56 == RES_MEMORY && access->mode != MODE_READ)
            rt.announced.flags |= EVENT_OPAQUE | EVENT_RERUN;
    }
}

/* The last call becomes a jump: behind a switch of stacks the processor predicts no return. */
void step_wait_slow(Thread *self)
{
    if (UNLIKELY(self->special & SPECIAL_WATCHED) && !self->section_depth)
        announce_properties();
    if (UNLIKELY(self->section_depth) && section_step(self, announced_guards_hold()))
        return;
    if (UNLIKELY(self->special & SPECIAL_SIGNALS) && rt.announced.guards && interrupt_wait(self))
        return;
    stop_at_bound(self);
    if (UNLIKELY(self->special & SPECIAL_VERBOSE))
        park_verbosely(self);
    else
        scheduler_park(self);
}

void step_wait(void)
{
    Thread *self = rt.self;
    if (UNLIKELY(!self))
        return;
    if (LIKELY(!(self->special & ~SPECIAL_WEAK) && step_continues(self) &&
               (rt.announced.guards == 0 || announced_guards_hold()))) {
        self->state = THREAD_RUNNING;
        step_open(self, rt.announced.op, rt.announced.site, rt.announced.count, rt.announced.flags);
    } else {
        step_wait_slow(self);
    }
}

/* ---- The step being executed ------------------------------------------------- */

void step_value(unsigned n, int64_t before, int64_t after)
{
    if (UNLIKELY(!rt.self))
        return;
    Access *access = &rt.ex->accesses[step_event()->first_access + section_offset(rt.self) + n];
    access->before = before;
    access->after = after;
}

void step_mode(unsigned n, Mode mode)
{
    if (LIKELY(rt.self))
        rt.ex->accesses[step_event()->first_access + section_offset(rt.self) + n].mode = (uint8_t)mode;
}

Access *step_find(uint64_t resource)
{
    const Event *event = rt.self ? step_event() : NULL;
    for (unsigned i = event ? section_offset(rt.self) : 0; event && i < event->access_count; i++)
        if (rt.ex->accesses[event->first_access + i].resource == resource)
            return &rt.ex->accesses[event->first_access + i];
    return NULL;
}

void step_yield(void)
{
    if (rt.self && rt.slice_end)
        rt.slice_end = rt.free_until = rt.ex->event_count;
}

void step_done(void)
{
    if (rt.self && UNLIKELY(rt.self->special & SPECIAL_WATCHED))
        property_look();
    if (rt.self && UNLIKELY(rt.ex->event_count >= rt.stop_at) && !rt.self->section_depth)
        scheduler_finish(END_PLANNED);
}

uint32_t step_choose(uint32_t options)
{
    if (UNLIKELY(!rt.self))
        return 0;
    scheduler_need_choice();
    uint32_t taken = execution_choose(rt.ex, options);
    if (UNLIKELY(taken == UINT32_MAX)) {
        rt.ex->diverged_at = rt.ex->event_count - 1;
        scheduler_finish(END_DIVERGED);
    }
    return taken;
}
