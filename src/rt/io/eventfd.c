/* eventfd.c - see eventfd.h */
#include "rt/io/eventfd.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/io/descriptor.h"
#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api_libc.h"
#include "rt/sync/cancel.h"
#include "rt/signal/interrupt.h"

static int fail(int error)
{
    errno = error;
    return -1;
}

static void act_if_cancelled(const EventCounter *counter)
{
    step_value(0, counter->value, counter->value);
    if (!cancel_pending(1))
        return;
    step_done();
    cancel_act();
}

/* A step that changes marks; false if the descriptor is closed. */
static bool change_marks(EventCounter *counter, OpKind op, int64_t set, int64_t clear)
{
    step_begin(op, counter->resource);
    step_wait();
    bool closed = counter->value & EVENT_CLOSED;
    int64_t before = counter->value;
    if (!closed) {
        counter->value = (before | set) & ~clear;
        race_release(counter->resource);
    }
    step_value(0, before, counter->value);
    step_done();
    return !closed;
}

/* A call that fails whatever the counter holds, but first if the descriptor is closed. */
static int fail_if_open(EventCounter *counter, OpKind op, int error)
{
    return fail(change_marks(counter, op, 0, 0) ? error : EBADF);
}

/* ---- Reading and writing ----------------------------------------------------------- */

/* What a read takes, 0 if it fails. */
static int64_t take(EventCounter *counter)
{
    int64_t count = counter->value & EVENT_COUNT;
    bool closed = counter->value & EVENT_CLOSED;
    if (closed || !count) {
        errno = closed ? EBADF : EAGAIN;
        return 0;
    }
    if (counter->semaphore)
        count = 1;
    counter->value -= count;
    race_acquire(counter->resource);
    return count;
}

ssize_t event_read(EventCounter *counter, void *to, size_t size)
{
    if (size < sizeof(uint64_t))
        return fail_if_open(counter, OP_PIPE_READ, EINVAL);
    Access *access = step_begin(OP_PIPE_READ, counter->resource);
    step_guard(access, &counter->value, REL_NE, 0);
    access->mask = (uint64_t)(EVENT_COUNT | EVENT_CLOSED | EVENT_NO_WAIT);
    cancel_watch(CANCEL_ENABLES);
    interrupt_allow(INTERRUPT_RESTARTS);
    step_wait();
    if (interrupt_happened())
        return fail(EINTR);
    act_if_cancelled(counter);
    int64_t before = counter->value;
    uint64_t count = (uint64_t)take(counter);
    step_value(0, before, counter->value);
    step_done();
    if (!count)
        return -1;
    plain_overwrite(to, sizeof count);
    memcpy(to, &count, sizeof count);
    shadow_memory_overwritten(to, sizeof count);
    return sizeof count;
}

ssize_t event_write(EventCounter *counter, const void *from, size_t size)
{
    uint64_t count;
    if (counter->timer)
        return fail_if_open(counter, OP_PIPE_WRITE, EINVAL);
    if (size < sizeof count)
        return fail_if_open(counter, OP_PIPE_WRITE, EINVAL);
    plain_use(from, sizeof count);
    if (tracking.on)
        concretise_memory(address_of(from), sizeof count, "what is added to an eventfd");
    memcpy(&count, from, sizeof count);
    if (count == UINT64_MAX)
        return fail_if_open(counter, OP_PIPE_WRITE, EINVAL);
    step_begin(OP_PIPE_WRITE, counter->resource)->mode = MODE_ACCUMULATE;
    cancel_watch(CANCEL_READ);
    step_wait();
    act_if_cancelled(counter);
    bool closed = counter->value & EVENT_CLOSED;
    int64_t before = counter->value;
    if (!closed) {
        if (count > (uint64_t)(EVENT_COUNT - (before & EVENT_COUNT)))
            report_not_modelled("a counter of eventfd of 2^48 and more");
        counter->value += (int64_t)count;
        race_release(counter->resource);
    }
    step_value(0, before, counter->value);
    step_done();
    return closed ? fail(EBADF) : (ssize_t)sizeof count;
}

/* ---- Closing and flags ---------------------------------------------------------------- */

int event_close(EventCounter *counter)
{
    return change_marks(counter, OP_PIPE_CLOSE, EVENT_CLOSED, 0) ? 0 : fail(EBADF);
}

int event_shutdown(EventCounter *counter) { return fail_if_open(counter, OP_PIPE_SHUTDOWN, ENOTSOCK); }

int event_set_no_wait(EventCounter *counter, bool no_wait)
{
    bool done = change_marks(counter, OP_PIPE_FLAGS, no_wait ? EVENT_NO_WAIT : 0, no_wait ? 0 : EVENT_NO_WAIT);
    return done ? 0 : fail(EBADF);
}

int event_get_no_wait(EventCounter *counter)
{
    bool open = change_marks(counter, OP_PIPE_FLAGS, 0, 0);
    return open ? (counter->value & EVENT_NO_WAIT) != 0 : fail(EBADF);
}

/* ---- Calls that make and use them ---------------------------------------------------------- */

int sennit_rt_eventfd(unsigned initial, int flags)
{
    if (!rt.self)
        return descriptor_keep(eventfd(initial, flags));
    if (flags & ~(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
        return fail(EINVAL);
    PipeEnd *end = pipe_add_end();
    EventCounter *counter = transient_alloc(sizeof *counter);
    counter->resource = resource_make(RES_PIPE, end->name);
    counter->value = (int64_t)initial | (flags & EFD_NONBLOCK ? EVENT_NO_WAIT : 0);
    counter->semaphore = flags & EFD_SEMAPHORE;
    end->counter = counter;
    return end->descriptor;
}

int sennit_rt_eventfd_read(int descriptor, eventfd_t *value)
{
    return sennit_rt_read(descriptor, value, sizeof *value) == sizeof *value ? 0 : -1;
}

int sennit_rt_eventfd_write(int descriptor, eventfd_t value)
{
    return sennit_rt_write(descriptor, &value, sizeof value) == sizeof value ? 0 : -1;
}
