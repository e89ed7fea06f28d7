/* pipe.c - pipes and socket pairs between threads of the program, as channels
 *
 * A channel keeps what was written call by call: a read takes from one write, never from two,
 * so messages stay apart where their writer kept them apart. It is unbounded: writes do not
 * block. Its value is the number of messages, plus marks for closed ends; 0 means that a
 * reader has to wait.
 */
#include "rt/pipe.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>

#include "rt/actor.h"
#include "rt/api_libc.h"
#include "rt/sync.h"

#define WRITERS_GONE ((int64_t)1 << 32)
#define READERS_GONE ((int64_t)1 << 33)
#define COUNT_MASK (WRITERS_GONE - 1)

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    size_t size, taken;
    unsigned char bytes[];
};

typedef struct Channel {
    uint64_t resource;
    int64_t value;
    Chunk *first, **end;
} Channel;

/* What a descriptor stands for; a pipe's ends have one channel each, a socket's two. */
struct PipeEnd {
    PipeEnd *next;
    int descriptor;
    bool closed;
    Channel *in, *out;
};

enum { FIRST_DESCRIPTOR = 2000, PER_THREAD = 64 };

static struct {
    uint32_t run;    /* of the execution that the ends belong to */
    PipeEnd *ends;
} pipes;

/* ---- Descriptors --------------------------------------------------------------------- */

static PipeEnd *first_end(void)
{
    if (pipes.run != run_number()) {
        pipes.run = run_number();
        pipes.ends = NULL;
    }
    return pipes.ends;
}

PipeEnd *pipe_find(int descriptor)
{
    if (!rt.self || descriptor < FIRST_DESCRIPTOR)
        return NULL;
    for (PipeEnd *end = first_end(); end; end = end->next)
        if (end->descriptor == descriptor)
            return end;
    return NULL;
}

/* Numbers are functions of the thread's own history. */
static int next_descriptor(void)
{
    int number = 0;
    for (PipeEnd *end = first_end(); end; end = end->next)
        number += (end->descriptor - FIRST_DESCRIPTOR) / PER_THREAD == (int)rt.self->strand;
    return number < PER_THREAD ? FIRST_DESCRIPTOR + (int)rt.self->strand * PER_THREAD + number : -1;
}

static Channel *make_channel(int descriptor)
{
    Channel *channel = run_alloc(sizeof *channel);
    channel->resource = resource_make(RES_PIPE, (uint64_t)descriptor);
    channel->end = &channel->first;
    return channel;
}

static int add_end(Channel *in, Channel *out, int descriptor)
{
    PipeEnd *end = run_alloc(sizeof *end);
    *end = (PipeEnd){.next = pipes.ends, .descriptor = descriptor, .in = in, .out = out};
    pipes.ends = end;
    return descriptor;
}

/* ---- Steps ------------------------------------------------------------------------------- */

static ssize_t take(Channel *channel, void *to, size_t size)
{
    Chunk *chunk = channel->first;
    int64_t before = channel->value;
    if (!(channel->value & COUNT_MASK)) {
        step_value(0, before, before);
        step_done();
        return 0;
    }
    size_t left = chunk->size - chunk->taken, count = size < left ? size : left;
    actor_copy(to, chunk->bytes + chunk->taken, count);
    chunk->taken += count;
    if (chunk->taken == chunk->size) {
        channel->first = chunk->next;
        if (!channel->first)
            channel->end = &channel->first;
        channel->value--;
    }
    step_value(0, before, channel->value);
    race_acquire(channel);
    step_done();
    return (ssize_t)count;
}

ssize_t pipe_read(PipeEnd *end, void *to, size_t size)
{
    if (end->closed || !end->in) {
        errno = EBADF;
        return -1;
    }
    if (size == 0)
        return 0;
    race_overwrite(to, size);
    step_guard(step_begin(OP_PIPE_READ, end->in->resource), &end->in->value, REL_NE, 0);
    step_wait();
    return take(end->in, to, size);
}

ssize_t pipe_write(PipeEnd *end, const void *from, size_t size)
{
    Channel *channel = end->out;
    if (end->closed || !channel) {
        errno = EBADF;
        return -1;
    }
    if (size == 0)
        return 0;
    race_use(from, size);
    step_begin(OP_PIPE_WRITE, channel->resource);
    step_wait();
    int64_t before = channel->value;
    bool gone = before & READERS_GONE;
    if (!gone) {
        Chunk *chunk = run_alloc(sizeof *chunk + size);
        chunk->size = size;
        actor_copy(chunk->bytes, from, size);
        *channel->end = chunk;
        channel->end = &chunk->next;
        channel->value++;
    }
    step_value(0, before, channel->value);
    race_release(channel);
    step_done();
    if (gone)
        errno = EPIPE;
    return gone ? -1 : (ssize_t)size;
}

static void mark_gone(Channel *channel, int64_t mark)
{
    if (!channel)
        return;
    step_begin(OP_PIPE_CLOSE, channel->resource);
    step_wait();
    step_value(0, channel->value, channel->value | mark);
    channel->value |= mark;
    race_release(channel);
    step_done();
}

int pipe_close(PipeEnd *end)
{
    if (end->closed) {
        errno = EBADF;
        return -1;
    }
    end->closed = true;
    mark_gone(end->out, WRITERS_GONE);
    mark_gone(end->in, READERS_GONE);
    return 0;
}

/* ---- Calls ---------------------------------------------------------------------------------- */

int sennit_rt_pipe(int descriptors[2])
{
    if (!rt.self)
        return pipe(descriptors);
    int read_end = next_descriptor();
    if (read_end < 0)
        report_not_modelled("more than 32 pipes of one thread");
    Channel *channel = make_channel(read_end);
    descriptors[0] = add_end(channel, NULL, read_end);
    descriptors[1] = add_end(NULL, channel, next_descriptor());
    return 0;
}

int sennit_rt_pipe2(int descriptors[2], int flags)
{
    if (rt.self && flags & O_NONBLOCK)
        report_not_modelled("a pipe that does not block");
    return rt.self ? sennit_rt_pipe(descriptors) : pipe2(descriptors, flags);
}

int sennit_rt_socketpair(int domain, int type, int protocol, int descriptors[2])
{
    if (!rt.self)
        return socketpair(domain, type, protocol, descriptors);
    if (type & SOCK_NONBLOCK)
        report_not_modelled("a socket pair that does not block");
    int first = next_descriptor();
    if (first < 0)
        report_not_modelled("more than 32 pipes of one thread");
    Channel *there = make_channel(first), *back = make_channel(first + 1);
    descriptors[0] = add_end(back, there, first);
    descriptors[1] = add_end(there, back, next_descriptor());
    return 0;
}

int sennit_rt_poll(struct pollfd *files, nfds_t count, int timeout)
{
    for (nfds_t i = 0; i < count; i++)
        if (pipe_find(files[i].fd))
            report_not_modelled("poll on a pipe");
    return poll(files, count, timeout);
}

int sennit_rt_select(int limit, fd_set *reads, fd_set *writes, fd_set *errors, struct timeval *timeout)
{
    if (rt.self && first_end())
        report_not_modelled("select in a program with pipes");
    return select(limit, reads, writes, errors, timeout);
}
