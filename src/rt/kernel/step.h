/* step.h - the scheduling point: how a modelled operation becomes a step
 *
 * A primitive (mutex.c, sem.c, ...) performs an operation in three parts:
 *
 *     Access *a = step_begin(OP_LOCK, resource);     announce: op and first access
 *     step_guard(a, &m->value, REL_EQ, 0);           when it is enabled
 *     step_wait();                                   scheduling point
 *     m->value = 1 + thread_self();                  the effect, atomic
 *     step_value(0, 0, m->value);                    values before and after, for access 0
 *
 * step_wait returns when the scheduler runs this step; the event then exists with
 * the announced accesses. Everything up to the thread's next step_begin belongs to
 * the step and must not touch the shared state of primitives without an access.
 */
#ifndef RT_KERNEL_STEP_H
#define RT_KERNEL_STEP_H

#include "rt/abi/ops.h"
#include "rt/kernel/resource.h"
#include "rt/kernel/runtime.h"

/* Announces the current thread's next operation with its first access (mode WRITE,
 * all lanes, no condition). Its place is sennit_rt_site. Resource 0: no access yet (returns
 * NULL; step_touch adds the first). Pointers to accesses are valid until the next
 * step_* call that adds one, or step_wait. */
Access *step_begin(OpKind op, uint64_t resource);
/* A further access of the announced operation or, after step_wait, of the step
 * being executed (e.g. the waiter that a signal woke). */
Access *step_touch(uint64_t resource, Mode mode);
/* Makes the access a guard on the value in `live` (8 bytes, signed). Before step_wait. */
void step_guard(Access *access, const int64_t *live, Relation relation, int64_t operand);
/* The mode of the access depends on the value: `then` if it satisfies the condition, else
 * `otherwise`. Before step_wait; afterwards the primitive sets the actual mode (step_mode). */
static inline void step_switch(Access *access, Relation relation, int64_t operand, Mode then, Mode otherwise)
{
    access_set_condition(access, ROLE_SWITCH, relation, then, otherwise);
    access->mask = UINT64_MAX;
    access->operand = operand;
}
/* The step is enabled as soon as one guard holds, not all. */
void step_guard_any(void);
/* The footprint depends on state in a way that its conditions do not express. */
void step_opaque(void);

/* The scheduling point. On return the step is being executed. */
void step_wait(void);

/* After step_wait: the values of the nth access, and its mode if it differs. */
void step_value(unsigned n, int64_t before, int64_t after);
void step_mode(unsigned n, Mode mode);
/* The access of the step being executed to this resource, or NULL. */
Access *step_find(uint64_t resource);

/* The operation is complete; what follows is program code. A primitive calls it last, after
 * step_value: an execution that has to end after this step ends here and does not run the
 * code behind it. (Without the call it ends at the next step_wait.) */
void step_done(void);

/* The thread waits for others without an operation (it sleeps, it yields): under the default
 * policy the others continue first. The explored schedules are the same. */
void step_yield(void);

/* A decision inside the step being executed: 0..options-1, explored exhaustively. */
uint32_t step_choose(uint32_t options);

/* ---- For the runtime's own operations, which bypass step_begin and step_wait ---- */

/* Does what SPECIAL_* bits of a thread require before it may announce an operation. */
void step_settle(Thread *self);
/* step_wait for a thread that cannot continue at once, or is special. */
void step_wait_slow(Thread *self);

/* The event of the step being executed. */
static inline Event *step_event(void) { return &rt.ex->events[rt.ex->event_count - 1]; }

/* Opens the event of a step with so many accesses, which lie at the end of ex->accesses or are put there next. */
static ALWAYS_INLINE Event *step_open(Thread *self, uint16_t op, uint64_t site, uint16_t accesses, uint16_t flags)
{
    Execution *ex = rt.ex;
    uint32_t position = ex->event_count, first = ex->access_count;
    Event *event = &rt.events[position];
    event->agent = self->id;
    event->index = rt.agents[self->id].steps++;
    event->first_access = first;
    event->first_choice = ex->choice_count;
    event->access_count = accesses;
    event->choice_count = 0;
    event->op = op;
    event->flags = flags;
    event->site = site;
    ex->event_count = position + 1;
    ex->access_count = first + accesses;
    self->last_event = position;
    self->has_event = 1;
    return event;
}

/* May the running thread, which is not special, take its next, unguarded step at once? */
static inline bool step_continues(const Thread *self)
{
    uint32_t position = rt.ex->event_count;
    bool mine = position < rt.fast_plan ? rt.plan[position].agent == self->id : position < rt.free_until;
    return mine && rt.agents[self->id].steps < self->max_steps;
}

#endif
