/* cancel.c - see cancel.h */
#include "rt/sync/cancel.h"

#include <setjmp.h>
#include <string.h>

#include "rt/detect/bug.h"
#include "rt/kernel/calls.h"
#include "rt/kernel/transient.h"
#include "rt/memory/redzone.h"
#include "rt/sync/condvar.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/plain.h"

static bool program_cancels(void)
{
    static enum { UNKNOWN, NO, YES } answer; /* the same for the whole process */
    if (answer == UNKNOWN)
        answer = calls_contain("pthread_cancel") ? YES : NO;
    return answer == YES;
}

static uint64_t request_of(const ThreadRecord *thread)
{
    return resource_make(RES_CANCEL, thread->agent);
}

/* ---- The thread to be cancelled ------------------------------------------ */

bool cancel_possible(void)
{
    if (!program_cancels())
        return false;
    const ThreadRecord *self = lifetime_self();
    return !self->cancel_disabled && !self->ending;
}

void cancel_watch(CancelWatch watch)
{
    if (!cancel_possible())
        return;
    ThreadRecord *self = lifetime_self();
    Access *access = step_touch(request_of(self), MODE_READ);
    if (watch == CANCEL_READ)
        return;
    step_guard(access, &self->cancel, REL_EQ, 1);
    step_guard_any();
}

bool cancel_pending(unsigned nth)
{
    if (!cancel_possible())
        return false;
    const ThreadRecord *self = lifetime_self();
    step_value(nth, self->cancel, self->cancel);
    return self->cancel;
}

void cancel_act(void)
{
    lifetime_exit(PTHREAD_CANCELED);
}

void cancel_test(void)
{
    if (!cancel_possible())
        return;
    step_begin(OP_CANCEL_POINT, request_of(lifetime_self()))->mode = MODE_READ;
    step_wait();
    if (cancel_pending(0))
        cancel_act();
}

int cancel_set_state(int state, int *old)
{
    ThreadRecord *self = lifetime_self();
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old)
        PLAIN_STORE(old, self->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE);
    self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    return 0;
}

int cancel_set_type(int type, int *old)
{
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
        report_not_modelled("asynchronous cancellation (pthread_setcanceltype)");
    if (type != PTHREAD_CANCEL_DEFERRED)
        return EINVAL;
    if (old)
        PLAIN_STORE(old, PTHREAD_CANCEL_DEFERRED);
    return 0;
}

/* ---- The thread that requests it ------------------------------------------ */

/* A thread in a condition wait leaves the queue, as if it had been signalled; the queue is
 * accessed then. Whether it waits is the value of RES_WAKE (see condvar.h), so the values of
 * the first two accesses determine the footprint. */
int cancel_request(pthread_t handle)
{
    ThreadRecord *thread = lifetime_find(handle);
    if (!thread)
        return ESRCH;
    if (thread->unborn)
        return 0;
    step_begin(OP_CANCEL, request_of(thread));
    step_touch(resource_make(RES_WAKE, thread->agent), MODE_WRITE);
    step_opaque();
    step_wait();
    step_value(0, thread->cancel, 1);
    thread->cancel = 1;
    int64_t woken = thread->woken;
    if (woken == WAKE_ASLEEP)
        condvar_cancel(thread, 2);
    step_value(1, woken, thread->woken);
    step_done();
    return 0;
}

/* ---- Cleanup handlers ------------------------------------------------------ */

static void push(Cleanup cleanup)
{
    ThreadRecord *self = lifetime_self();
    Cleanup *entry = transient_alloc(sizeof *entry);
    *entry = cleanup;
    entry->next = self->cleanups;
    self->cleanups = entry;
}

void cancel_push_frame(void *frame)
{
    push((Cleanup){.frame = frame});
}

void cancel_push_routine(void (*routine)(void *argument), void *argument)
{
    push((Cleanup){.routine = routine, .argument = argument});
}

static Cleanup take_newest(ThreadRecord *self)
{
    Cleanup newest = *self->cleanups;
    self->cleanups = newest.next;
    return newest;
}

void cancel_pop(bool execute)
{
    ThreadRecord *self = lifetime_self();
    if (!self->cleanups)
        return;
    Cleanup newest = take_newest(self);
    if (execute && newest.routine)
        newest.routine(newest.argument);
}

void cancel_unwind(void)
{
    ThreadRecord *self = lifetime_self();
    while (self->cleanups) {
        Cleanup newest = take_newest(self);
        if (newest.frame) {
            redzone_forget();
            siglongjmp(*(sigjmp_buf *)newest.frame, 1);
        }
        newest.routine(newest.argument);
    }
}

void cancel_unwind_next(void)
{
    cancel_unwind();
    lifetime_finish();
}
