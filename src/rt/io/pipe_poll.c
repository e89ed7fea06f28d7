/* pipe_poll.c - see pipe_poll.h; poll and select on pipes, socket pairs and eventfds
 *
 * A poll is one step that reads every channel of its entries. One that waits is enabled as soon as
 * one of its channels has a requested event: a condition on that channel's value. One with a
 * time-out may time out whenever there is none, like every timed operation (sync.h).
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/io/eventfd.h"
#include "rt/io/pipe_poll.h"
#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api_libc.h"
#include "rt/io/crash_point.h"
#include "rt/net/socket.h"
#include "rt/sync/cancel.h"
#include "rt/signal/interrupt.h"
#include "rt/sync/sync.h"
#include "rt/sync/vtime.h"

enum { ALWAYS = POLLERR | POLLHUP | POLLNVAL, READABLE = POLLIN | POLLRDNORM, WRITABLE = POLLOUT | POLLWRNORM };
#define MILLISECOND 1000000ll
#define FOR_EVER (-1ll)

/* ---- What an end is ready for ------------------------------------------------------------- */

/* Marks of the channel it reads from that lead to an event; it is also readable if there are
 * bytes in it. */
static int64_t marks_in(const PipeEnd *end, short event)
{
    switch (event) {
    case POLLIN:
    case POLLRDNORM:
    case POLLRDHUP: return end->socket ? PIPE_WRITER_GONE | PIPE_READER_GONE : 0;
    case POLLHUP: return end->socket ? PIPE_HUNG_UP : PIPE_WRITER_GONE;
    case POLLERR: return PIPE_RESET;
    case POLLNVAL: return PIPE_READER_CLOSED;
    default: return 0;
    }
}

static const short told_in[] = {POLLIN, POLLRDNORM, POLLRDHUP, POLLHUP, POLLERR, POLLNVAL};

/* The condition for any of the events, as a mask of which at least one bit must be set. */
static int64_t mask_in(const PipeEnd *end, short events)
{
    int64_t mask = events & READABLE ? PIPE_COUNT : 0;
    for (unsigned i = 0; i < sizeof told_in / sizeof *told_in; i++)
        if (events & told_in[i])
            mask |= marks_in(end, told_in[i]);
    return mask;
}

static short ready_in(const PipeEnd *end)
{
    int64_t value = end->in->value;
    short ready = pipe_count(value) ? READABLE : 0;
    for (unsigned i = 0; i < sizeof told_in / sizeof *told_in; i++)
        if (value & marks_in(end, told_in[i]))
            ready |= told_in[i];
    return ready;
}

/* A write to a pipe whose reading end is closed fails; a socket hangs up instead. */
static int64_t marks_out(const PipeEnd *end)
{
    return PIPE_WRITER_CLOSED | (end->socket ? 0 : PIPE_READER_GONE);
}

static short ready_out(const PipeEnd *end)
{
    int64_t value = end->out->value;
    short ready = pipe_room(value) >= end->out->writable ? WRITABLE : 0;
    if (!end->socket && value & PIPE_READER_GONE)
        ready |= POLLERR;
    return value & PIPE_WRITER_CLOSED ? ready | POLLNVAL : ready;
}

/* An eventfd is always writable here, a timer never. */
static short ready_counter(const EventCounter *counter)
{
    short ready = counter->timer ? 0 : WRITABLE;
    if (counter->value & EVENT_COUNT)
        ready |= READABLE;
    return counter->value & EVENT_CLOSED ? POLLNVAL : ready;
}

/* A direction that is not asked for tells nothing that the other one does not tell, too. */
static bool watches_out(const PollEntry *entry)
{
    return entry->end->out && (!entry->end->in || entry->events & WRITABLE);
}

static short find_ready(const PollEntry *entry)
{
    const PipeEnd *end = entry->end;
    short events = end->counter ? ready_counter(end->counter)
                                : (end->in ? ready_in(end) : 0) | (watches_out(entry) ? ready_out(end) : 0);
    return events & POLLNVAL ? POLLNVAL : events & entry->events;
}

/* ---- The step -------------------------------------------------------------------------------- */

typedef struct Watched {
    uint64_t resource;
    const int64_t *value;
} Watched;

static void watch(LiveAccesses *touches, Watched what, bool waits, int64_t mask, Relation relation, int64_t operand)
{
    if (waits)
        touch_guard(touches, what.resource, MODE_READ, what.value, mask, relation, operand);
    else
        touch(touches, what.resource, MODE_READ, what.value);
}

static void watch_counter(const EventCounter *counter, LiveAccesses *touches, short events, bool waits)
{
    bool writable = events & WRITABLE && !counter->timer;
    watch(touches, (Watched){counter->resource, &counter->value}, waits,
          writable ? -1 : EVENT_CLOSED | (events & READABLE ? EVENT_COUNT : 0), writable ? REL_TRUE : REL_NE, 0);
}

static void watch_out(const PollEntry *entry, LiveAccesses *touches, bool waits)
{
    const PipeEnd *end = entry->end;
    const Watched out = {end->out->resource, &end->out->value};
    if (entry->events & WRITABLE)
        watch(touches, out, waits, PIPE_ROOM | marks_out(end), REL_UGE, end->out->writable << 24);
    else
        watch(touches, out, waits, marks_out(end), REL_NE, 0);
}

void poll_watch(const PollEntry *entry, LiveAccesses *touches, bool waits)
{
    const PipeEnd *end = entry->end;
    if (!end)
        return;
    if (end->net && entry->edges)
        socket_watch_edge(end->net, touches, entry->events, waits, &entry->last);
    else if (end->net)
        socket_watch(end->net, touches, entry->events, waits, &entry->seen);
    if (end->net && entry->notes && !entry->edges)
        socket_note_edge(end->net, touches, entry->events);
    if (end->counter)
        watch_counter(end->counter, touches, entry->events, waits);
    if (end->in)
        watch(touches, (Watched){end->in->resource, &end->in->value}, waits, mask_in(end, entry->events), REL_NE, 0);
    if (watches_out(entry))
        watch_out(entry, touches, waits);
}

short poll_look(PollEntry *entry, LiveAccesses *touches)
{
    const PipeEnd *end = entry->end;
    if (!end)
        return 0;
    if (end->net)
        return socket_ready(end->net, touches, entry->events, &entry->seen);
    short ready = find_ready(entry);
    if (ready && end->counter)
        race_acquire(end->counter->resource);
    if (ready && end->in)
        race_acquire(end->in->resource);
    if (ready && watches_out(entry))
        race_acquire(end->out->resource);
    return ready;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* How many entries are ready, or -1 and an error. */
static int look(PollEntry *entries, nfds_t count, short *results, bool waits)
{
    LiveAccesses touches = {0};
    int total = 0;
    step_begin(OP_PIPE_POLL, 0);
    for (nfds_t i = 0; i < count; i++)
        poll_watch(&entries[i], &touches, waits);
    if (waits)
        step_guard_any();
    unsigned watched = touches.count;
    cancel_watch(waits ? CANCEL_ENABLES : CANCEL_READ);
    interrupt_allow(INTERRUPT_FAILS);
    step_wait();
    if (interrupt_happened())
        return fail(EINTR);
    touches_begin(&touches);
    bool cancelled = cancel_pending(watched);
    for (nfds_t i = 0; i < count; i++) {
        results[i] = poll_look(&entries[i], &touches);
        total += results[i] != 0;
    }
    touches_end(&touches);
    step_done();
    if (cancelled)
        cancel_act();
    return total;
}

/* Until one of them is ready. */
static int look_and_wait(PollEntry *entries, nfds_t count, short *results)
{
    int total = 0;
    while (!total)
        total = look(entries, count, results, true);
    return total;
}

/* How many entries are ready, and for what; 0 after the time-out, in nanoseconds. */
static int wait_for(PollEntry *entries, nfds_t count, short *results, int64_t timeout)
{
    crash_point();
    if (timeout < 0)
        return look_and_wait(entries, count, results);
    if (timeout && !sync_may_time_out()) {
        sync_wait_past_bound(true);
        int total = look_and_wait(entries, count, results);
        sync_wait_past_bound(false);
        return total;
    }
    int total = look(entries, count, results, false);
    if (!total && timeout && interrupt_now(INTERRUPT_FAILS))
        return fail(EINTR);
    if (!total && timeout)
        sync_time_out_after(timeout);
    return total;
}

/* Without descriptors: a sleep. */
static int sleep_only(int64_t timeout)
{
    if (timeout < 0) {
        interrupt_pause();
        return fail(EINTR);
    }
    if (vtime_sleep(timeout))
        return fail(EINTR);
    return 0;
}

/* ---- poll ---------------------------------------------------------------------------------------- */

/* Are there pipes among them? They cannot be waited for together with other files. */
static bool has_pipes(const struct pollfd *files, nfds_t count)
{
    bool pipes = false, others = false;
    for (nfds_t i = 0; i < count; i++) {
        PipeEnd *end = files[i].fd >= 0 ? pipe_find(files[i].fd) : NULL;
        bool modelled = end != NULL;
        if (modelled && end->epoll)
            report_not_modelled("poll or select on an epoll");
        pipes |= modelled;
        others |= files[i].fd >= 0 && !modelled;
    }
    if (pipes && others)
        report_not_modelled("poll or select on pipes together with other files");
    return pipes;
}

static int poll_pipes(struct pollfd *files, nfds_t count, int64_t timeout)
{
    PollEntry *entries = transient_alloc(count * sizeof *entries);
    short *results = transient_alloc(count * sizeof *results);
    for (nfds_t i = 0; i < count; i++)
        entries[i] = (PollEntry){.end = files[i].fd < 0 ? NULL : pipe_find(files[i].fd),
                                 .events = (short)(files[i].events | ALWAYS)};
    int total = wait_for(entries, count, results, timeout);
    for (nfds_t i = 0; i < count && total >= 0; i++) {
        plain_overwrite(&files[i].revents, sizeof files[i].revents);
        shadow_memory_overwritten(&files[i].revents, sizeof files[i].revents);
        files[i].revents = results[i];
    }
    return total;
}

static bool only_negative(const struct pollfd *files, nfds_t count)
{
    for (nfds_t i = 0; i < count; i++)
        if (files[i].fd >= 0)
            return false;
    return true;
}

/* False if there are no pipes among the files. */
static bool poll_modelled(struct pollfd *files, nfds_t count, int64_t timeout, int *result)
{
    if (!rt.self)
        return false;
    if (count)
        plain_use(files, count * sizeof *files);
    bool pipes = has_pipes(files, count);
    if (!pipes && !only_negative(files, count))
        return false;
    *result = pipes ? poll_pipes(files, count, timeout) : sleep_only(timeout);
    return true;
}

static int64_t nanoseconds(const struct timespec *time)
{
    if (time)
        plain_use(time, sizeof *time);
    return time ? time->tv_sec * 1000 * MILLISECOND + time->tv_nsec : FOR_EVER;
}

typedef struct Sets {
    fd_set *reads, *writes, *errors; /* each may be NULL */
} Sets;

/* Descriptors of the system: what they are ready for now. The scheduler would not know that the thread waits. */
static void refuse_waiting(int ready, bool waits)
{
    if (rt.self && ready == 0 && waits)
        report_not_modelled("poll or select that waits for a descriptor of the system");
}

static int poll_system(struct pollfd *files, nfds_t count, int timeout)
{
    int ready = poll(files, count, rt.self ? 0 : timeout);
    sennit_rt_noise = 1; /* no step shows it */
    refuse_waiting(ready, timeout != 0);
    return ready;
}

static int select_system(int limit, const Sets *sets, struct timeval *timeout)
{
    struct timeval now = {0};
    bool waits = !timeout || timeout->tv_sec || timeout->tv_usec;
    int ready = select(limit, sets->reads, sets->writes, sets->errors, rt.self ? &now : timeout);
    sennit_rt_noise = 1; /* no step shows it */
    refuse_waiting(ready, waits);
    return ready;
}

int sennit_rt_poll(struct pollfd *files, nfds_t count, int timeout)
{
    int result;
    return poll_modelled(files, count, timeout < 0 ? FOR_EVER : timeout * MILLISECOND, &result)
               ? result
               : poll_system(files, count, timeout);
}

int sennit_rt_ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    int result = 0;
    uint64_t before = rt.self ? interrupt_mask(mask) : 0;
    bool modelled = poll_modelled(files, count, nanoseconds(timeout), &result);
    if (rt.self)
        interrupt_unmask(before);
    if (modelled)
        return result;
    return rt.self ? poll_system(files, count, !timeout || timeout->tv_sec || timeout->tv_nsec ? -1 : 0)
                   : ppoll(files, count, timeout, mask);
}

/* ---- select ---------------------------------------------------------------------------------------- */

static bool in_set(int descriptor, const fd_set *set) { return set && FD_ISSET(descriptor, set); }

/* As entries of poll. */
static nfds_t list_files(int limit, const Sets *sets, struct pollfd *files)
{
    nfds_t count = 0;
    for (int fd = 0; fd < limit && fd < FD_SETSIZE; fd++) {
        short events = (in_set(fd, sets->reads) ? POLLIN : 0) | (in_set(fd, sets->writes) ? POLLOUT : 0);
        if (events || in_set(fd, sets->errors))
            files[count++] = (struct pollfd){.fd = fd, .events = events};
    }
    return count;
}

static int keep(fd_set *set, const struct pollfd *file, short events)
{
    if (!in_set(file->fd, set))
        return 0;
    if (file->revents & events)
        return 1;
    FD_CLR(file->fd, set);
    return 0;
}

static int answer(const Sets *sets, const struct pollfd *files, nfds_t count)
{
    int total = 0;
    for (nfds_t i = 0; i < count; i++)
        if (files[i].revents & POLLNVAL) {
            errno = EBADF;
            return -1;
        }
    for (nfds_t i = 0; i < count; i++)
        total += keep(sets->reads, &files[i], POLLIN | POLLHUP | POLLERR) +
                 keep(sets->writes, &files[i], POLLOUT | POLLERR) + keep(sets->errors, &files[i], POLLPRI);
    return total;
}

static size_t set_size(int limit)
{
    size_t bits = 8 * sizeof(fd_mask);
    return ((size_t)limit + bits - 1) / bits * sizeof(fd_mask);
}

static void note_use(const Sets *sets, int limit)
{
    const fd_set *all[] = {sets->reads, sets->writes, sets->errors};
    for (int i = 0; i < 3; i++)
        if (all[i] && limit > 0) {
            plain_overwrite((void *)(uintptr_t)all[i], set_size(limit));
            shadow_memory_overwritten(all[i], set_size(limit));
        }
}

/* False if there are no pipes among the files. */
static bool select_pipes(int limit, const Sets *sets, int64_t timeout, int *result)
{
    struct pollfd *files = transient_alloc((limit > 0 ? (size_t)limit : 1) * sizeof *files);
    nfds_t count = list_files(limit, sets, files);
    if (count && !has_pipes(files, count))
        return false;
    note_use(sets, limit);
    *result = count ? poll_pipes(files, count, timeout) : sleep_only(timeout);
    if (count && *result >= 0)
        *result = answer(sets, files, count);
    return true;
}

int sennit_rt_select(int limit, fd_set *reads, fd_set *writes, fd_set *errors, struct timeval *timeout)
{
    const Sets sets = {reads, writes, errors};
    int result;
    if (timeout)
        plain_overwrite(timeout, sizeof *timeout);
    int64_t time = timeout ? timeout->tv_sec * 1000 * MILLISECOND + timeout->tv_usec * 1000 : FOR_EVER;
    if (!rt.self || !select_pipes(limit, &sets, time, &result))
        return select_system(limit, &sets, timeout);
    if (timeout && result == 0) {
        *timeout = (struct timeval){0};
        shadow_memory_overwritten(timeout, sizeof *timeout);
    }
    return result;
}

int sennit_rt_pselect(int limit, fd_set *reads, fd_set *writes, fd_set *errors, const struct timespec *timeout,
                      const sigset_t *mask)
{
    const Sets sets = {reads, writes, errors};
    int result;
    if (!rt.self)
        return pselect(limit, reads, writes, errors, timeout, mask);
    struct timeval time = timeout ? (struct timeval){timeout->tv_sec, timeout->tv_nsec} : (struct timeval){0};
    uint64_t before = interrupt_mask(mask);
    bool modelled = select_pipes(limit, &sets, nanoseconds(timeout), &result);
    interrupt_unmask(before);
    return modelled
               ? result
               : select_system(limit, &sets, timeout ? &time : NULL);
}
