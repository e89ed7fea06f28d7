/* condvar.c - see condvar.h */
#include "rt/sync/condvar.h"

#include "rt/detect/race_clock.h"
#include "rt/kernel/object.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/sync/cancel.h"
#include "rt/signal/signals.h"
#include "rt/sync/mutex.h"
#include "rt/sync/plain.h"

/* ---- The object ---------------------------------------------------------- */

/* The last word is zero in PTHREAD_COND_INITIALIZER. */
static uint32_t *stamp_of(const void *object)
{
    return (uint32_t *)((char *)(uintptr_t)object + sizeof(pthread_cond_t) - sizeof(uint32_t));
}

static void make_fresh(void *state, const void *object)
{
    *(Condvar *)state = (Condvar){.resource = resource_of(RES_COND, object)};
    sync_write(stamp_of(object), SYNC_STAMP);
}

static uint64_t wake_of(const ThreadRecord *thread)
{
    return resource_make(RES_WAKE, thread->agent);
}

/* A step that initialises the object again, without waiters. */
static void overwrite(Condvar *cond)
{
    step_begin(OP_LOCK_INIT, cond->resource);
    step_wait();
    step_value(0, cond->value, 0);
    make_fresh(cond, sync_object(cond->resource));
}

Condvar *condvar_of(pthread_cond_t *object)
{
    sync_check_room(object, ROOM_CONDITION);
    plain_use(object, 1);
    Condvar *cond = object_state(RES_COND, object, sizeof *cond, make_fresh);
    if (*stamp_of(object) != SYNC_STAMP) {
        if (cond->value)
            overwrite(cond);
        else
            make_fresh(cond, object);
    }
    return cond;
}

/* A step only if the object is known, for the reason given at lock_init. */
int condvar_init(pthread_cond_t *object)
{
    sync_check_room(object, ROOM_CONDITION);
    plain_overwrite(object, 1);
    Condvar *cond = object_find(RES_COND, object);
    if (cond)
        overwrite(cond);
    else
        object_state(RES_COND, object, sizeof *cond, make_fresh);
    return 0;
}

static _Noreturn void report_misuse(const Condvar *cond, const char *verb, const char *how, const Witness *other)
{
    misuse_report(verb, "condition variable", cond->resource, how, other);
}

static void check_alive(Condvar *cond)
{
    if (!cond->destroyed)
        return;
    step_value(0, cond->value, cond->value);
    report_misuse(cond, "uses", "after it was destroyed", &cond->last);
}

int condvar_destroy(Condvar *cond)
{
    step_begin(OP_LOCK_DESTROY, cond->resource);
    step_wait();
    check_alive(cond);
    step_value(0, cond->value, cond->value);
    if (cond->count > 0)
        report_misuse(cond, "destroys", "which is waited on", &cond->queue[0]->waits_here);
    cond->destroyed = true;
    cond->last = misuse_witness();
    step_done();
    return 0;
}

/* ---- The queue ------------------------------------------------------------ */

/* A number that stands for the queue: equal queues have equal numbers, and only the empty
 * one has 0. */
static void update_value(Condvar *cond)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < cond->count; i++)
        hash = (hash ^ (cond->queue[i]->agent + 1)) * 0x9e3779b97f4a7c15ull;
    cond->value = (int64_t)(cond->count ? hash | 1 : 0);
}

static void enqueue(Condvar *cond, ThreadRecord *thread)
{
    if (cond->count == cond->capacity) {
        ThreadRecord **old = cond->queue;
        cond->capacity = cond->capacity ? 2 * cond->capacity : 4;
        cond->queue = transient_alloc(cond->capacity * sizeof *old);
        for (uint32_t i = 0; i < cond->count; i++)
            cond->queue[i] = old[i];
    }
    cond->queue[cond->count++] = thread;
    update_value(cond);
}

static ThreadRecord *dequeue(Condvar *cond, uint32_t nth)
{
    ThreadRecord *thread = cond->queue[nth];
    cond->count--;
    for (uint32_t i = nth; i < cond->count; i++)
        cond->queue[i] = cond->queue[i + 1];
    update_value(cond);
    return thread;
}

static uint32_t place_in_queue(const Condvar *cond, const ThreadRecord *thread)
{
    uint32_t nth = 0;
    while (cond->queue[nth] != thread)
        nth++;
    return nth;
}

/* ---- Waiting --------------------------------------------------------------- */

/* One wait, from its first step to its second. */
typedef struct CondWait {
    Condvar *cond;
    Lock *mutex;
    const struct timespec *deadline; /* NULL: none                                         */
    bool keeps_mutex;                /* a recursive mutex locked more than once stays held */
    bool unasked;                    /* may wake up without a signal                       */
} CondWait;

static void check_one_mutex(Condvar *cond, Lock *mutex)
{
    if (cond->count > 0 && cond->mutex != mutex)
        report_misuse(cond, "waits on", "with another mutex than the one used", &cond->queue[0]->waits_here);
    cond->mutex = mutex;
}

/* Inside the first step. Its accesses are the queue, the mutex unless it is kept, and, if the
 * thread can be cancelled, RES_WAKE and RES_CANCEL. */
static void fall_asleep(const CondWait *wait, ThreadRecord *self)
{
    int64_t before = wait->cond->value;
    unsigned next = wait->keeps_mutex ? 1 : 2;
    check_alive(wait->cond);
    check_one_mutex(wait->cond, wait->mutex);
    if (cancel_possible()) {
        step_value(next, WAKE_NONE, WAKE_NONE);
        if (cancel_pending(next + 1)) {
            step_value(0, before, before);
            if (!wait->keeps_mutex)
                step_value(1, wait->mutex->value, wait->mutex->value);
            cancel_act();
        }
        self->woken = WAKE_ASLEEP;
        step_value(next, WAKE_NONE, WAKE_ASLEEP);
    }
    self->waits_on = wait->cond;
    self->waits_here = misuse_witness();
    enqueue(wait->cond, self);
    step_value(0, before, wait->cond->value);
    if (!wait->keeps_mutex)
        mutex_give(wait->mutex, 1);
}

static void first_half(const CondWait *wait)
{
    ThreadRecord *self = lifetime_self();
    step_begin(OP_COND_WAIT, wait->cond->resource);
    if (!wait->keeps_mutex)
        step_touch(wait->mutex->resource, MODE_WRITE);
    if (cancel_possible()) {
        step_touch(wake_of(self), MODE_WRITE);
        cancel_watch(CANCEL_READ);
    }
    if (!wait->keeps_mutex)
        lock_announce_release(wait->mutex);
    step_wait();
    fall_asleep(wait, self);
    step_done();
}

/* Leaves the queue without a signal. */
static void leave_queue(Condvar *cond, ThreadRecord *self)
{
    int64_t before = cond->value;
    dequeue(cond, place_in_queue(cond, self));
    Access *access = step_touch(cond->resource, MODE_WRITE);
    access->before = before;
    access->after = cond->value;
}

static int unasked_result(const CondWait *wait, ThreadRecord *self)
{
    if (wait->deadline)
        return sync_time_out(wait->deadline);
    self->spurious++;
    return 0;
}

/* The effect of waking up, apart from the mutex. */
static int wake_up(const CondWait *wait, ThreadRecord *self)
{
    int64_t woken = self->woken;
    self->woken = WAKE_NONE;
    self->waits_on = NULL;
    step_value(0, woken, WAKE_NONE);
    if (woken <= 0) {
        leave_queue(wait->cond, self);
        return unasked_result(wait, self);
    }
    race_acquire(wake_of(self));
    if (woken == WAKE_PERHAPS_LATE && wait->deadline && sync_may_time_out() && step_choose(2))
        return sync_time_out(wait->deadline);
    return 0;
}

/* Where signals come, the thread waits here, where one may interrupt it, and then for the mutex. */
static void wait_for_wake(ThreadRecord *self)
{
    Access *access = step_begin(OP_COND_WAKE, wake_of(self));
    access->mode = MODE_READ;
    step_guard(access, &self->woken, REL_SGT, 0);
    step_wait();
    step_value(0, self->woken, self->woken);
    step_done();
}

static int second_half(const CondWait *wait)
{
    ThreadRecord *self = lifetime_self();
    if (!wait->unasked && !wait->keeps_mutex && signals_come())
        wait_for_wake(self);
    Access *access = step_begin(OP_COND_WAKE, wake_of(self));
    if (wait->unasked)
        step_opaque();
    else
        step_guard(access, &self->woken, REL_SGT, 0);
    if (!wait->keeps_mutex)
        step_guard(step_touch(wait->mutex->resource, MODE_WRITE), &wait->mutex->value, REL_EQ, 0);
    step_wait();
    if (!wait->keeps_mutex) {
        lock_check_alive(wait->mutex, 1);
        lock_take(wait->mutex, 1);
    }
    bool cancelled = self->woken == WAKE_CANCEL;
    int answer = wake_up(wait, self);
    int taken = wait->keeps_mutex ? 0 : mutex_taken(wait->mutex, 1);
    step_done();
    if (cancelled)
        cancel_act();
    return taken ? taken : answer;
}

static bool may_wake_unasked(const struct timespec *deadline)
{
    return deadline ? sync_may_time_out() : sync_may_wake_spuriously();
}

int condvar_wait(Condvar *cond, Lock *mutex, const struct timespec *deadline)
{
    int error = mutex_check_held(mutex, "waits on a condition variable with");
    if (error)
        return error;
    const SennitSite *site = sennit_rt_site;
    CondWait wait = {.cond = cond, .mutex = mutex, .deadline = deadline, .keeps_mutex = mutex->depth > 0,
                 .unasked = may_wake_unasked(deadline)};
    first_half(&wait);
    sennit_rt_site = site;
    sync_wait_past_bound(deadline && !wait.unasked);
    error = second_half(&wait);
    sync_wait_past_bound(false);
    return error;
}

/* ---- Waking ------------------------------------------------------------------ */

static void wake(ThreadRecord *thread, Wake how)
{
    Access *access = step_touch(wake_of(thread), MODE_WRITE);
    access->before = thread->woken;
    access->after = how;
    thread->woken = how;
    race_release(wake_of(thread));
}

/* Begins a signal or broadcast. False if no thread waits: the queue was only read. */
static bool begin_wake(Condvar *cond, OpKind op)
{
    step_switch(step_begin(op, cond->resource), REL_NE, 0, MODE_WRITE, MODE_READ);
    step_opaque();
    step_wait();
    step_mode(0, cond->count ? MODE_WRITE : MODE_READ);
    check_alive(cond);
    step_value(0, cond->value, cond->value);
    return cond->count > 0;
}

int condvar_signal(Condvar *cond)
{
    if (begin_wake(cond, OP_COND_SIGNAL)) {
        int64_t before = cond->value;
        bool alone = cond->count == 1;
        ThreadRecord *thread = dequeue(cond, alone ? 0 : step_choose(cond->count));
        step_value(0, before, cond->value);
        wake(thread, alone ? WAKE_PERHAPS_LATE : WAKE_SIGNAL);
    }
    step_done();
    return 0;
}

int condvar_broadcast(Condvar *cond)
{
    if (begin_wake(cond, OP_COND_BROADCAST)) {
        int64_t before = cond->value;
        while (cond->count > 0)
            wake(dequeue(cond, 0), WAKE_PERHAPS_LATE);
        step_value(0, before, cond->value);
    }
    step_done();
    return 0;
}

void condvar_cancel(ThreadRecord *thread, unsigned next)
{
    Condvar *cond = thread->waits_on;
    int64_t before = cond->value;
    dequeue(cond, place_in_queue(cond, thread));
    step_touch(cond->resource, MODE_WRITE);
    step_value(next, before, cond->value);
    thread->woken = WAKE_CANCEL;
}

const void *condvar_waited_on(AgentId agent)
{
    const ThreadRecord *thread = *thread_slot(agent);
    return thread && thread->waits_on ? sync_object(thread->waits_on->resource) : NULL;
}
