/* epoll.c - see epoll.h
 *
 * In which order ready descriptors are reported is a choice, within what Linux promises: a call that reports fewer than
 * are ready goes round. Those that it left out come before those that it reported, which keep their order. Where a
 * descriptor stands that was not ready in between is free.
 */
#include "rt/io/epoll.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/io/descriptor.h"
#include "rt/io/pipe_poll.h"
#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api_libc.h"
#include "rt/net/socket.h"
#include "rt/io/crash_point.h"
#include "rt/sync/cancel.h"
#include "rt/signal/interrupt.h"
#include "rt/sync/sync.h"

typedef struct EpollItem {
    PipeEnd *end;
    struct epoll_event event;
    bool disabled;            /* EPOLLONESHOT, and it was reported */
    bool told;                /* EPOLLET, and it was reported: the next time when there is more than this */
    SocketEdge last;
    uint64_t turn;            /* ready and reported since: comes after all with smaller ones; or 0 */
    uint64_t before;          /* ready and left out since: comes before all turns from this one on; or 0 */
} EpollItem;

struct Epoll {
    uint64_t resource;
    int64_t value;            /* counts changes */
    bool closed;
    EpollItem *items;
    unsigned count, capacity;
    uint64_t turns;           /* the last one given */
};

static bool has_turn(const EpollItem *item) { return item->turn || item->before; }
static void forget_turn(EpollItem *item) { item->turn = item->before = 0; }

static int fail(int error)
{
    errno = error;
    return -1;
}

/* ---- The list ---------------------------------------------------------------------- */

static EpollItem *find(const Epoll *epoll, const PipeEnd *end)
{
    for (unsigned i = 0; i < epoll->count; i++)
        if (epoll->items[i].end == end)
            return &epoll->items[i];
    return NULL;
}

static void add(Epoll *epoll, EpollItem item)
{
    if (epoll->count == epoll->capacity) {
        EpollItem *old = epoll->items;
        epoll->capacity = epoll->capacity ? 2 * epoll->capacity : 4;
        epoll->items = transient_alloc(epoll->capacity * sizeof *old);
        for (unsigned i = 0; i < epoll->count; i++)
            epoll->items[i] = old[i];
    }
    epoll->items[epoll->count++] = item;
}

/* 0 or an error. */
static int change(Epoll *epoll, int operation, PipeEnd *end, const struct epoll_event *event)
{
    EpollItem *item = find(epoll, end);
    switch (operation) {
    case EPOLL_CTL_ADD:
        if (item)
            return EEXIST;
        add(epoll, (EpollItem){.end = end, .event = *event});
        return 0;
    case EPOLL_CTL_MOD:
        if (!item)
            return ENOENT;
        *item = (EpollItem){.end = end, .event = *event};
        return 0;
    case EPOLL_CTL_DEL:
        if (!item)
            return ENOENT;
        memmove(item, item + 1, (size_t)(&epoll->items[--epoll->count] - item) * sizeof *item);
        return 0;
    default: return EINVAL;
    }
}

/* One step that reads whether the descriptor is open, and changes the list. */
static int control(Epoll *epoll, int operation, PipeEnd *end, const struct epoll_event *event)
{
    PollEntry entry = {.end = end};
    LiveAccesses touches = {0};
    step_begin(OP_EPOLL_CONTROL, 0);
    touch(&touches, epoll->resource, MODE_WRITE, &epoll->value);
    poll_watch(&entry, &touches, false);
    step_wait();
    touches_begin(&touches);
    int error = poll_look(&entry, &touches) & POLLNVAL || epoll->closed ? EBADF : change(epoll, operation, end, event);
    epoll->value += !error;
    touches_end(&touches);
    step_done();
    return error ? fail(error) : 0;
}

static void refuse_events(uint32_t events, const PipeEnd *end)
{
    if (events & EPOLLET && !end->net)
        report_not_modelled("epoll with EPOLLET on something other than a socket");
    if (events & EPOLLEXCLUSIVE)
        report_not_modelled("epoll with EPOLLEXCLUSIVE");
}

int epoll_close(Epoll *epoll)
{
    step_begin(OP_PIPE_CLOSE, epoll->resource);
    step_wait();
    bool closed = epoll->closed;
    step_value(0, epoll->value, epoll->value + !closed);
    epoll->value += !closed;
    epoll->closed = true;
    step_done();
    return closed ? fail(EBADF) : 0;
}

/* ---- Waiting ------------------------------------------------------------------------- */

/* What a thread knows of the list. */
typedef struct EpollView {
    EpollItem *items;
    PollEntry *entries;
    unsigned count;
    int64_t value;       /* of the list        */
    bool changes;        /* a report may disable descriptors, or change their turns */
} EpollView;

static PollEntry entry_of(const EpollItem *item)
{
    return (PollEntry){.end = item->end, .events = (short)((item->event.events & 0xffff) | POLLERR | POLLHUP),
                       .notes = item->event.events & EPOLLET, .edges = item->told, .last = item->last};
}

/* Reads the list: a step. False if it is closed. */
static bool read_list(const Epoll *epoll, EpollView *view, int limit)
{
    step_begin(OP_PIPE_POLL, epoll->resource)->mode = MODE_READ;
    step_wait();
    step_value(0, epoll->value, epoll->value);
    *view = (EpollView){.items = transient_alloc((epoll->count + 1) * sizeof *view->items),
                        .entries = transient_alloc((epoll->count + 1) * sizeof *view->entries),
                        .value = epoll->value};
    for (unsigned i = 0; i < epoll->count; i++)
        if (!epoll->items[i].disabled) {
            view->entries[view->count] = entry_of(&epoll->items[i]);
            view->items[view->count++] = epoll->items[i];
            view->changes |= (epoll->items[i].event.events & (EPOLLONESHOT | EPOLLET)) != 0;
            view->changes |= has_turn(&epoll->items[i]);
        }
    view->changes |= view->count > (unsigned)limit;
    bool open = !epoll->closed;
    step_done();
    return open;
}

/* A descriptor that is ready, and for what. */
typedef struct EpollReady {
    EpollItem *item;
    uint32_t events;
    bool reported;
} EpollReady;

static bool comes_first(const EpollItem *item, const EpollItem *other)
{
    return item->turn ? item->turn < other->turn : item->before && other->turn >= item->before;
}

/* May it be reported now? */
static bool is_next(const EpollReady *ready, unsigned count, unsigned nth)
{
    for (unsigned i = 0; i < count; i++)
        if (!ready[i].reported && comes_first(ready[i].item, ready[nth].item))
            return false;
    return !ready[nth].reported;
}

static EpollReady *choose_next(EpollReady *ready, unsigned count)
{
    unsigned candidates = 0, nth = 0;
    for (unsigned i = 0; i < count; i++)
        candidates += is_next(ready, count, i);
    for (unsigned skip = candidates > 1 ? step_choose(candidates) : 0;; nth++)
        if (is_next(ready, count, nth) && !skip--)
            return &ready[nth];
}

/* Those that were reported go behind those that were left out. If there are none of these, nothing is to be kept. */
static void give_turns(Epoll *epoll, EpollReady *const *order, unsigned reported, const EpollReady *ready,
                       unsigned count)
{
    uint64_t first = epoll->turns + 1;
    for (unsigned i = 0; i < count; i++)
        if (reported == count)
            forget_turn(ready[i].item);
        else if (!ready[i].reported && !has_turn(ready[i].item))
            ready[i].item->before = first;
    for (unsigned i = 0; i < reported && reported < count; i++) {
        order[i]->item->turn = ++epoll->turns;
        order[i]->item->before = 0;
    }
}

/* Reports up to `limit` of the ready ones, and counts that as a change of the list if it is one. The list is as in the
 * view. */
static int report(Epoll *epoll, const EpollView *view, const short *events, struct epoll_event *to, int limit)
{
    EpollReady *ready = transient_alloc((view->count + 1) * sizeof *ready);
    EpollReady **order = transient_alloc((view->count + 1) * sizeof *order);
    unsigned count = 0, reported = 0;
    bool changed = false;
    for (unsigned i = 0; i < view->count; i++) {
        EpollItem *item = find(epoll, view->items[i].end);
        changed |= has_turn(item);
        if (events[i])
            ready[count++] = (EpollReady){item, (uint32_t)(unsigned short)events[i], false};
        else
            forget_turn(item);
    }
    for (; reported < count && reported < (unsigned)limit; reported++) {
        EpollReady *next = order[reported] = choose_next(ready, count);
        next->reported = true;
        to[reported] = next->item->event;
        to[reported].events = next->events;
        next->item->disabled = next->item->event.events & EPOLLONESHOT;
        changed |= next->item->disabled;
        if (next->item->event.events & EPOLLET) {
            next->item->told = changed = true;
            next->item->last = socket_edge(next->item->end->net);
        }
    }
    give_turns(epoll, order, reported, ready, count);
    epoll->value += changed || reported < count;
    return (int)reported;
}

/* Of a socket with EPOLLET that was reported: only if something has happened since. From now on the thread waits for
 * what happens next. */
static short edge_of(PollEntry *entry, const EpollItem *item, short ready)
{
    bool fresh = !entry->edges || ready & POLLNVAL || socket_edge_is_new(entry->end->net, entry->events, &item->last);
    if (entry->edges)
        entry->last = socket_edge(entry->end->net);
    return fresh ? ready : 0;
}

typedef enum Look { LOOK_DONE, LOOK_CHANGED, LOOK_AGAIN, LOOK_INTERRUPTED } Look; /* AGAIN: the view
    is as it was, or smaller */

/* Takes closed descriptors out of the view; were there any? */
static bool drop_closed(EpollView *view, const short *ready)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < view->count; i++)
        if (!(ready[i] & POLLNVAL)) {
            view->entries[kept] = view->entries[i];
            view->items[kept++] = view->items[i];
        }
    bool dropped = kept < view->count;
    view->count = kept;
    return dropped;
}

/* Announces a step that looks at the descriptors, or waits for one of them or for a change of the list. */
static void announce_look(const Epoll *epoll, const EpollView *view, LiveAccesses *touches, bool waits)
{
    step_begin(OP_PIPE_POLL, 0);
    Access *access = touch(touches, epoll->resource, view->changes ? MODE_WRITE : MODE_READ, &epoll->value);
    if (waits) {
        step_guard(access, &epoll->value, REL_NE, view->value);
        step_guard_any();
    }
    for (unsigned i = 0; i < view->count; i++)
        poll_watch(&view->entries[i], touches, waits);
}

static Look look(Epoll *epoll, EpollView *view, bool waits, struct epoll_event *to, int limit, int *reported)
{
    short *ready = transient_alloc((view->count + 1) * sizeof *ready);
    LiveAccesses touches = {0};
    announce_look(epoll, view, &touches, waits);
    unsigned width = touches.count;
    cancel_watch(waits ? CANCEL_ENABLES : CANCEL_READ);
    interrupt_allow(INTERRUPT_FAILS);
    step_wait();
    if (interrupt_happened())
        return LOOK_INTERRUPTED;
    touches_begin(&touches);
    bool cancelled = cancel_pending(width), changed = epoll->value != view->value;
    for (unsigned i = 0; i < view->count; i++)
        ready[i] = edge_of(&view->entries[i], &view->items[i], poll_look(&view->entries[i], &touches));
    Look result = changed ? LOOK_CHANGED : drop_closed(view, ready) ? LOOK_AGAIN : LOOK_DONE;
    *reported = result == LOOK_DONE && !cancelled ? report(epoll, view, ready, to, limit) : 0;
    touches_end(&touches);
    step_done();
    if (cancelled)
        cancel_act();
    return result == LOOK_DONE && waits && !*reported ? LOOK_AGAIN : result;
}

/* Looks until nothing came between. */
static int look_until_done(Epoll *epoll, bool waits, struct epoll_event *to, int limit)
{
    EpollView view;
    int reported = 0;
    for (Look result = LOOK_CHANGED; result != LOOK_DONE;) {
        if (result == LOOK_CHANGED && !read_list(epoll, &view, limit))
            return fail(EBADF);
        result = look(epoll, &view, waits, to, limit, &reported);
        if (result == LOOK_INTERRUPTED)
            return fail(EINTR);
    }
    return reported;
}

static int wait_for(Epoll *epoll, struct epoll_event *to, int limit, int64_t timeout)
{
    bool past_bound = timeout > 0 && !sync_may_time_out();
    if (past_bound)
        sync_wait_past_bound(true);
    int reported = look_until_done(epoll, timeout < 0 || past_bound, to, limit);
    if (past_bound)
        sync_wait_past_bound(false);
    if (!reported && timeout > 0 && interrupt_now(INTERRUPT_FAILS))
        return fail(EINTR);
    if (!reported && timeout > 0)
        sync_time_out_after(timeout);
    return reported;
}

static void check_own(const PipeEnd *end)
{
    if (end->inherited)
        report_not_modelled("an epoll that another process has made");
}

/* Nanoseconds, negative: without end. */
static int wait_at(int descriptor, struct epoll_event *events, int limit, int64_t timeout)
{
    crash_point();
    PipeEnd *end = pipe_find(descriptor);
    if (!end)
        return fail(EBADF);
    if (!end->epoll || limit <= 0)
        return fail(EINVAL);
    check_own(end);
    struct epoll_event *found = transient_alloc((size_t)(limit < 64 ? limit : 64) * sizeof *found);
    int count = wait_for(end->epoll, found, limit < 64 ? limit : 64, timeout);
    if (count > 0) {
        plain_overwrite(events, (size_t)count * sizeof *events);
        memcpy(events, found, (size_t)count * sizeof *events);
        shadow_memory_overwritten(events, (size_t)count * sizeof *events);
    }
    return count;
}

/* ---- Calls ------------------------------------------------------------------------------- */

int sennit_rt_epoll_create1(int flags)
{
    if (!rt.self)
        return descriptor_keep(epoll_create1(flags));
    if (flags & ~EPOLL_CLOEXEC)
        return fail(EINVAL);
    PipeEnd *end = pipe_add_end();
    end->epoll = transient_alloc(sizeof *end->epoll);
    end->epoll->resource = resource_make(RES_PIPE, end->name);
    return end->descriptor;
}

int sennit_rt_epoll_create(int size)
{
    if (!rt.self)
        return descriptor_keep(epoll_create(size));
    return size > 0 ? sennit_rt_epoll_create1(0) : fail(EINVAL);
}

int sennit_rt_epoll_ctl(int descriptor, int operation, int target, struct epoll_event *event)
{
    if (!rt.self)
        return epoll_ctl(descriptor, operation, target, event);
    PipeEnd *end = pipe_find(descriptor), *watched = pipe_find(target);
    if (!end)
        return fail(EBADF);
    if (!watched)
        report_not_modelled("epoll_ctl on a descriptor of the system");
    if (!end->epoll || end == watched)
        return fail(EINVAL);
    check_own(end);
    if (watched->epoll)
        report_not_modelled("epoll in epoll");
    if (operation != EPOLL_CTL_DEL) {
        plain_use(event, sizeof *event);
        refuse_events(event->events, watched);
    }
    return control(end->epoll, operation, watched, event);
}

int sennit_rt_epoll_wait(int descriptor, struct epoll_event *events, int limit, int timeout)
{
    if (!rt.self)
        return epoll_wait(descriptor, events, limit, timeout);
    return wait_at(descriptor, events, limit, timeout < 0 ? -1 : timeout * 1000000ll);
}

int sennit_rt_epoll_pwait(int descriptor, struct epoll_event *events, int limit, int timeout, const sigset_t *mask)
{
    if (!rt.self)
        return epoll_pwait(descriptor, events, limit, timeout, mask);
    uint64_t before = interrupt_mask(mask);
    int result = sennit_rt_epoll_wait(descriptor, events, limit, timeout);
    interrupt_unmask(before);
    return result;
}
