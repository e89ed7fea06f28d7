/* pipe.c - see pipe.h
 *
 * Streams behave as on Linux: a write of up to PIPE_ATOMIC bytes is one step, and a read takes
 * what is there, up to the size it asks for; so where a read ends depends on which writes came
 * before it. Packets (SOCK_SEQPACKET, SOCK_DGRAM) stay separate.
 */
#include "rt/io/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

#include "rt/actors/actor_mail.h"
#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/io/descriptor.h"
#include "rt/io/epoll.h"
#include "rt/io/eventfd.h"
#include "rt/kernel/process.h"
#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api_libc.h"
#include "rt/signal/interrupt.h"
#include "rt/signal/signals.h"
#include "rt/net/socket.h"
#include "rt/sync/cancel.h"
#include "rt/sync/sync.h"

struct Chunk {
    Chunk *next;
    size_t size, taken;
    unsigned char bytes[];
};

enum {
    PIPE_CAPACITY = 65536, SOCKET_CAPACITY = 212992 /* Linux's defaults */
};

#define SIGNAL_RESOURCE signals_resource(SIGPIPE)

/* ---- Making -------------------------------------------------------------------------------- */

/* A channel is named by the descriptor that reads from it. */
static void join_ends(PipeEnd *writer, PipeEnd *reader, int64_t capacity, bool no_wait)
{
    Channel *channel = transient_alloc(sizeof *channel);
    channel->resource = resource_make(RES_PIPE, reader->name);
    channel->end = &channel->first;
    channel->value = capacity << 24 | (no_wait ? PIPE_NO_WAIT_READ | PIPE_NO_WAIT_WRITE : 0);
    channel->writable = capacity == PIPE_CAPACITY ? PIPE_ATOMIC : capacity - capacity / 4;
    writer->out = reader->in = channel;
}

static int make_pipe(int descriptors[2], int flags)
{
    PipeEnd *reader = pipe_add_end(), *writer = pipe_add_end();
    join_ends(writer, reader, PIPE_CAPACITY, flags & O_NONBLOCK);
    plain_overwrite(descriptors, 2 * sizeof *descriptors);
    descriptors[0] = reader->descriptor;
    descriptors[1] = writer->descriptor;
    shadow_memory_overwritten(descriptors, 2 * sizeof *descriptors);
    return 0;
}

int pipe_make_packets(int type, int descriptors[2])
{
    PipeEnd *ends[2] = {pipe_add_end(), pipe_add_end()};
    int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    plain_overwrite(descriptors, 2 * sizeof *descriptors);
    for (int i = 0; i < 2; i++) {
        join_ends(ends[i], ends[1 - i], SOCKET_CAPACITY, type & SOCK_NONBLOCK);
        ends[i]->socket = ends[i]->packets = true;
        ends[i]->datagrams = kind == SOCK_DGRAM;
        descriptors[i] = ends[i]->descriptor;
    }
    shadow_memory_overwritten(descriptors, 2 * sizeof *descriptors);
    return 0;
}

/* ---- Reading ------------------------------------------------------------------------------ */

static int fail(int error)
{
    errno = error;
    return -1;
}

/* Adds `count` bytes, or removes them if negative. */
static void change(Channel *channel, int64_t count) { channel->value += count - (count << 24); }

static void drop_first(Channel *channel)
{
    channel->first = channel->first->next;
    if (!channel->first)
        channel->end = &channel->first;
}

/* Copies what is there, up to `size`; of packets only the first, whose rest is lost. */
static size_t take(const PipeEnd *end, unsigned char *to, size_t size)
{
    Channel *channel = end->in;
    size_t taken = 0;
    while (channel->first && taken < size) {
        Chunk *chunk = channel->first;
        size_t left = chunk->size - chunk->taken, count = size - taken < left ? size - taken : left;
        plain_overwrite(to + taken, count);
        actor_copy(to + taken, chunk->bytes + chunk->taken, count);
        chunk->taken += count;
        taken += count;
        if (chunk->taken == chunk->size || end->packets)
            drop_first(channel);
        change(channel, end->packets ? -(int64_t)chunk->size - 1 : -(int64_t)count);
        if (end->packets)
            break;
    }
    return taken;
}

/* The result of a read that is enabled, and errno. */
static ssize_t read_now(const PipeEnd *end, void *to, size_t size)
{
    Channel *channel = end->in;
    int64_t value = channel->value;
    if (value & PIPE_READER_CLOSED)
        return fail(EBADF);
    if (value & PIPE_RESET && (end->packets || !pipe_count(value))) {
        channel->value &= ~PIPE_RESET;
        return fail(ECONNRESET);
    }
    if (pipe_count(value)) {
        ssize_t count = (ssize_t)take(end, to, size);
        race_acquire(channel->resource);
        return count;
    }
    if (!(value & (PIPE_WRITER_GONE | PIPE_READER_GONE)))
        return fail(EAGAIN);
    race_acquire(channel->resource);
    return 0;
}

static void guard(Access *access, const Channel *channel, int64_t mask, Relation relation, int64_t operand)
{
    step_guard(access, &channel->value, relation, operand);
    access->mask = (uint64_t)mask;
}

/* The thread was cancelled where it waited. */
static void act_if_cancelled(unsigned nth)
{
    if (!cancel_pending(nth))
        return;
    step_done();
    cancel_act();
}

ssize_t pipe_read(PipeEnd *end, void *to, size_t size)
{
    const struct iovec part = {to, size};
    if (end->net)
        return socket_read_file(end->net, &(Places){&part, 1});
    if (end->epoll)
        return fail(EINVAL);
    if (end->counter)
        return event_read(end->counter, to, size);
    Channel *channel = end->in;
    if (!channel)
        return fail(EBADF);
    if (size == 0)
        return 0;
    guard(step_begin(OP_PIPE_READ, channel->resource), channel,
          PIPE_COUNT | PIPE_WRITER_GONE | PIPE_READER_GONE | PIPE_NO_WAIT_READ | PIPE_RESET, REL_NE, 0);
    cancel_watch(CANCEL_ENABLES);
    interrupt_allow(INTERRUPT_RESTARTS);
    step_wait();
    if (interrupt_happened())
        return fail(EINTR);
    int64_t before = channel->value;
    step_value(0, before, before);
    act_if_cancelled(1);
    ssize_t result = read_now(end, to, size);
    step_value(0, before, channel->value);
    step_done();
    return result;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static void put(const PipeEnd *end, const void *from, size_t size)
{
    Channel *channel = end->out;
    Chunk *chunk = transient_alloc(sizeof *chunk + size);
    chunk->size = size;
    actor_copy(chunk->bytes, from, size);
    *channel->end = chunk;
    channel->end = &chunk->next;
    change(channel, (int64_t)size + end->packets);
    race_release(channel->resource);
}

/* The reading end is closed: by default the process is killed. */
static ssize_t write_in_vain(const PipeEnd *end, PipeSignal signal)
{
    if (end->datagrams)
        report_not_modelled("writing datagrams to a closed socket");
    if (signal == PIPE_SIGNALS && !end->packets && !signals_survives(SIGPIPE) && !signals_blocked(SIGPIPE))
        report_bug(BUG_CRASH, "SIGPIPE: write to %s whose reading end is closed", end->socket ? "a socket" : "a pipe");
    return fail(EPIPE);
}

/* The room that a write of this size waits for: larger ones are split. */
static size_t needed(const PipeEnd *end, size_t size)
{
    if (end->packets)
        return size + 1;
    return size <= PIPE_ATOMIC ? size : 1;
}

static ssize_t write_now(const PipeEnd *end, const void *from, size_t size, PipeSignal signal)
{
    int64_t value = end->out->value;
    size_t room = (size_t)pipe_room(value);
    if (value & PIPE_WRITER_CLOSED)
        return fail(EBADF);
    if (end->packets && end->in->value & PIPE_RESET) {
        end->in->value &= ~PIPE_RESET;
        return fail(ECONNRESET);
    }
    if (value & (PIPE_WRITER_GONE | PIPE_READER_GONE))
        return write_in_vain(end, signal);
    if (room < needed(end, size))
        return fail(EAGAIN);
    size_t count = end->packets || size < room ? size : room;
    put(end, from, count);
    return (ssize_t)count;
}

/* One step: as many bytes as there is room for. Packets also report a reset. */
static ssize_t write_part(PipeEnd *end, const void *from, size_t size, PipeSignal signal)
{
    Channel *channel = end->out;
    guard(step_begin(OP_PIPE_WRITE, channel->resource), channel,
          PIPE_ROOM | PIPE_WRITER_GONE | PIPE_WRITER_CLOSED | PIPE_READER_GONE | PIPE_NO_WAIT_WRITE, REL_UGE,
          (int64_t)needed(end, size) << 24);
    step_touch(SIGNAL_RESOURCE, MODE_READ);
    if (end->packets)
        step_touch(end->in->resource, MODE_WRITE);
    cancel_watch(CANCEL_ENABLES);
    interrupt_allow(INTERRUPT_RESTARTS);
    step_wait();
    if (interrupt_happened())
        return fail(EINTR);
    int64_t before = channel->value, in_before = end->packets ? end->in->value : 0;
    step_value(0, before, before);
    step_value(1, signals_value(SIGPIPE), signals_value(SIGPIPE));
    if (end->packets)
        step_value(2, in_before, in_before);
    act_if_cancelled(2 + end->packets);
    ssize_t result = write_now(end, from, size, signal);
    step_value(0, before, channel->value);
    if (end->packets)
        step_value(2, in_before, end->in->value);
    bool raises = result < 0 && errno == EPIPE && signal == PIPE_SIGNALS && !end->packets;
    raises = raises && signals_matter(SIGPIPE);
    step_done();
    return raises ? signals_broken_pipe() : result;
}

ssize_t pipe_write(PipeEnd *end, const void *from, size_t size, PipeSignal signal)
{
    const struct iovec part = {(void *)(uintptr_t)from, size};
    if (end->net)
        return socket_write(end->net, &(Places){&part, 1}, 0);
    if (end->epoll)
        return fail(EINVAL);
    if (end->counter)
        return event_write(end->counter, from, size);
    if (!end->out)
        return fail(EBADF);
    if (end->packets && size >= SOCKET_CAPACITY)
        return fail(EMSGSIZE);
    if (size == 0 && !end->packets)
        return 0;
    plain_use(from, size);
    size_t written = 0;
    do {
        ssize_t count = write_part(end, (const char *)from + written, size - written, signal);
        if (count < 0)
            return written ? (ssize_t)written : -1;
        written += (size_t)count;
    } while (written < size);
    return (ssize_t)written;
}

/* ---- Closing and flags ----------------------------------------------------------------------- */

static bool is_closed(const PipeEnd *end)
{
    return end->in ? end->in->value & PIPE_READER_CLOSED : end->out->value & PIPE_WRITER_CLOSED;
}

/* One step that reads and writes both channels of the end. */
static void begin_change(const PipeEnd *end, OpKind op)
{
    step_begin(op, (end->in ? end->in : end->out)->resource);
    if (end->in && end->out)
        step_touch(end->out->resource, MODE_WRITE);
    step_wait();
}

static void end_change(const PipeEnd *end, int64_t in_before, int64_t out_before)
{
    if (end->in)
        step_value(0, in_before, end->in->value);
    if (end->out)
        step_value(end->in != NULL, out_before, end->out->value);
    step_done();
}

/* Marks both channels of the end; drops what will not be read. */
static int mark(PipeEnd *end, OpKind op, int64_t in_marks, int64_t out_marks)
{
    begin_change(end, op);
    Channel *in = end->in, *out = end->out;
    int64_t in_before = in ? in->value : 0, out_before = out ? out->value : 0;
    bool closed = is_closed(end);
    if (in && !closed) {
        bool unread = pipe_count(in->value) && in_marks & PIPE_READER_CLOSED;
        if (unread && out && !end->datagrams)
            out_marks |= PIPE_RESET;
        if (unread && end->socket)
            change(in, -pipe_count(in->value));
        in->value |= in_marks;
        race_release(in->resource);
    }
    if (out && !closed) {
        out->value |= out_marks;
        race_release(out->resource);
    }
    if (in && out && in->value & (PIPE_READER_GONE | PIPE_WRITER_GONE) &&
        out->value & (PIPE_READER_GONE | PIPE_WRITER_GONE)) {
        in->value |= PIPE_HUNG_UP;
        out->value |= PIPE_HUNG_UP;
    }
    end_change(end, in_before, out_before);
    return closed ? fail(EBADF) : 0;
}

static int close_end(PipeEnd *end)
{
    if (end->net)
        return socket_close(end->net);
    if (end->epoll)
        return epoll_close(end->epoll);
    if (end->counter)
        return event_close(end->counter);
    int64_t eof = end->datagrams ? 0 : PIPE_WRITER_GONE;
    return mark(end, OP_PIPE_CLOSE, PIPE_READER_GONE | PIPE_READER_CLOSED, eof | PIPE_WRITER_CLOSED);
}

/* Other processes have had these ends: this one leaves them, in one step. Which process is the last to do so follows
 * from the order of all. */
static void leave(PipeEnd *const *ends, unsigned count)
{
    step_begin(OP_PIPE_CLOSE, 0);
    for (unsigned i = 0; i < count; i++)
        step_touch(ends[i]->holders->resource, MODE_WRITE);
    step_wait();
    for (unsigned i = 0; i < count; i++) {
        EndHolders *holders = ends[i]->holders;
        step_value(i, holders->left, holders->left + 1);
        ends[i]->is_shared = ++holders->left < holders->count;
        race_acquire(holders->resource);
        race_release(holders->resource);
    }
    step_done();
}

/* For this process the end is closed: what it does there fails. */
static void forget(PipeEnd *end)
{
    Channel *closed = transient_alloc(sizeof *closed);
    closed->resource = resource_make(RES_PIPE, end->name);
    closed->value = PIPE_READER_CLOSED | PIPE_WRITER_CLOSED | PIPE_READER_GONE | PIPE_WRITER_GONE;
    end->in = end->out = closed;
    end->counter = NULL;
    end->epoll = NULL;
    end->net = NULL;
    end->packets = end->datagrams = end->socket = false;
}

/* The process has left the end: the last one closes it. */
static int settle(PipeEnd *end)
{
    end->holders = NULL;
    if (!end->is_shared)
        return close_end(end);
    if (!process_is_single())
        report_not_modelled("closing what another process has, in a process with several threads");
    forget(end);
    return 0;
}

int pipe_close(PipeEnd *end)
{
    if (end->holders)
        leave(&end, 1);
    if (end->is_shared && pipe_has_epoll()) /* the kernel would still tell what happens there */
        report_not_modelled("closing what another process has, in a process with an epoll");
    int result = settle(end);
    end->left |= !result && end->owner == rt.self->strand;
    return result;
}

void pipe_close_together(PipeEnd *const *ends, unsigned count)
{
    leave(ends, count);
    for (unsigned i = 0; i < count; i++) {
        settle(ends[i]);
        ends[i]->left = true;
    }
}

int pipe_shutdown(PipeEnd *end, int how)
{
    if (end->net)
        return socket_shutdown(end->net, how);
    if (end->epoll)
        return fail(ENOTSOCK);
    if (end->counter)
        return event_shutdown(end->counter);
    if (!end->socket)
        return mark(end, OP_PIPE_SHUTDOWN, 0, 0) ? -1 : fail(ENOTSOCK);
    if (how < SHUT_RD || how > SHUT_RDWR)
        return fail(EINVAL);
    if (end->datagrams)
        report_not_modelled("shutdown of a datagram socket");
    return mark(end, OP_PIPE_SHUTDOWN, how != SHUT_WR ? PIPE_READER_GONE : 0, how != SHUT_RD ? PIPE_WRITER_GONE : 0);
}

static void set_mark(Channel *channel, int64_t flag, bool set)
{
    if (channel)
        channel->value = set ? channel->value | flag : channel->value & ~flag;
}

int pipe_set_no_wait(PipeEnd *end, bool no_wait)
{
    if (end->net)
        return socket_set_no_wait(end->net, no_wait);
    if (end->counter)
        return event_set_no_wait(end->counter, no_wait);
    begin_change(end, OP_PIPE_FLAGS);
    int64_t in_before = end->in ? end->in->value : 0, out_before = end->out ? end->out->value : 0;
    bool closed = is_closed(end);
    if (!closed) {
        set_mark(end->in, PIPE_NO_WAIT_READ, no_wait);
        set_mark(end->out, PIPE_NO_WAIT_WRITE, no_wait);
    }
    end_change(end, in_before, out_before);
    return closed ? fail(EBADF) : 0;
}

int pipe_get_no_wait(PipeEnd *end)
{
    if (end->net)
        return socket_get_no_wait(end->net);
    if (end->counter)
        return event_get_no_wait(end->counter);
    begin_change(end, OP_PIPE_FLAGS);
    bool no_wait = end->in ? end->in->value & PIPE_NO_WAIT_READ : end->out->value & PIPE_NO_WAIT_WRITE;
    bool closed = is_closed(end);
    end_change(end, end->in ? end->in->value : 0, end->out ? end->out->value : 0);
    return closed ? fail(EBADF) : no_wait;
}

/* ---- Calls that make them ---------------------------------------------------------------------- */

int sennit_rt_pipe(int descriptors[2]) { return sennit_rt_pipe2(descriptors, 0); }

int sennit_rt_pipe2(int descriptors[2], int flags)
{
    if (rt.self)
        return make_pipe(descriptors, flags);
    int result = pipe2(descriptors, flags);
    for (int i = 0; i < 2 && !result; i++)
        descriptor_keep(descriptors[i]);
    return result;
}
