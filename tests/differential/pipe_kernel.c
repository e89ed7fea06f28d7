/* pipe_kernel.c - the model of pipes, socket pairs, eventfds, poll and epoll against the kernel's, see kernel.h */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "kernel.h"
#include "rt/libc/api_libc.h"

enum { MOST_CALLS = 14, PAGE = 4096 };

typedef struct Call {
    unsigned kind, end, amount;
} Call;

static Call calls[MOST_CALLS];
static unsigned call_count;

/* Ends: a pipe for a few bytes, one for whole pages, two kinds of sockets, two counters. */
enum { SMALL_READ, SMALL_WRITE, LARGE_READ, LARGE_WRITE, STREAM, STREAM_PEER, PACKETS, PACKETS_PEER, EVENTS, EVENTS_SINGLE, ENDS };

/* ---- Calls ---------------------------------------------------------------------------------- */

static char buffer[20 * PAGE];

static bool is_counter(const Call *call) { return call->end >= EVENTS; }

static size_t size_of(const Call *call)
{
    if (is_counter(call))
        return call->amount == 1 ? 7 : 8 + call->amount % 2;
    return call->end / 2 == LARGE_READ / 2 ? (1 + call->amount * 3) * PAGE : 1 + call->amount;
}

static int sum(const char *bytes, long count)
{
    int total = 0;
    for (long i = 0; i < count && i < 16; i++)
        total = total * 3 + bytes[i];
    return total;
}

static void call_write(const int *ends, const Call *call)
{
    uint64_t number = call->amount == 3 ? UINT64_MAX : call->amount;
    memset(buffer, 'a' + (char)call->amount, size_of(call));
    if (is_counter(call))
        memcpy(buffer, &number, sizeof number);
    see_result(sennit_rt_write(ends[call->end], buffer, size_of(call)));
}

static void call_read(const int *ends, const Call *call)
{
    ssize_t count = sennit_rt_read(ends[call->end], buffer, size_of(call));
    see_result(count);
    see(count > 0 ? sum(buffer, count) : 0);
}

static void call_close(const int *ends, const Call *call) { see_result(sennit_rt_close(ends[call->end])); }
static void call_shutdown(const int *ends, const Call *call) { see_result(sennit_rt_shutdown(ends[call->end], (int)call->amount % 3)); }

static void call_poll(const int *ends, const Call *call)
{
    static const short events[] = {0, POLLIN, POLLOUT, POLLIN | POLLOUT | POLLRDHUP};
    unsigned other = (call->end + call->amount) % ENDS;
    struct pollfd files[] = {{.fd = ends[call->end], .events = events[call->amount]},
                             {.fd = ends[other], .events = events[3 - call->amount]}};
    see_result(sennit_rt_poll(files, 2, 0));
    see(files[0].revents);
    see(files[1].revents);
}

static void call_select(const int *ends, const Call *call)
{
    fd_set reads, writes;
    struct timeval now = {0};
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_SET(ends[call->end], &reads);
    FD_SET(ends[call->end], &writes);
    int result = sennit_rt_select(FD_SETSIZE, &reads, &writes, NULL, &now);
    see_result(result);
    see(result < 0 ? 0 : (FD_ISSET(ends[call->end], &reads) != 0) + 2 * (FD_ISSET(ends[call->end], &writes) != 0));
}

static int epoll, many; /* the second watches several ends */

/* Watches one end, twice if it is reported once, and changes what is watched. */
static void call_epoll(const int *ends, const Call *call)
{
    static const uint32_t events[] = {EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLOUT | EPOLLRDHUP, EPOLLIN | EPOLLONESHOT};
    struct epoll_event event = {.events = events[call->amount], .data.u32 = call->end}, found = {0};
    see_result(sennit_rt_epoll_ctl(epoll, EPOLL_CTL_ADD, ends[call->end], &event));
    see_result(sennit_rt_epoll_wait(epoll, &found, 1, 0));
    see((long)found.events);
    see_result(sennit_rt_epoll_wait(epoll, &found, 1, 0));
    see_result(sennit_rt_epoll_ctl(epoll, call->amount % 2 ? EPOLL_CTL_DEL : EPOLL_CTL_ADD, ends[call->end], &event));
    see_result(sennit_rt_epoll_ctl(epoll, EPOLL_CTL_MOD, ends[call->end], &event));
    see_result(sennit_rt_epoll_ctl(epoll, EPOLL_CTL_DEL, ends[call->end], &event));
}

/* Adds an end to those watched together, changes it or takes it out. */
static void call_watch(const int *ends, const Call *call)
{
    static const uint32_t events[] = {EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLOUT, EPOLLOUT | EPOLLONESHOT};
    struct epoll_event event = {.events = events[call->amount], .data.u32 = call->end};
    see_result(sennit_rt_epoll_ctl(many, EPOLL_CTL_ADD, ends[call->end], &event));
    if (call->amount == 3)
        see_result(sennit_rt_epoll_ctl(many, EPOLL_CTL_MOD, ends[call->end], &event));
}

static void call_forget(const int *ends, const Call *call)
{
    see_result(sennit_rt_epoll_ctl(many, EPOLL_CTL_DEL, ends[call->end], NULL));
}

/* Fewer than are ready, perhaps. */
static void call_wait(const int *ends, const Call *call)
{
    struct epoll_event found[4];
    int count = sennit_rt_epoll_wait(many, found, 1 + (int)call->amount % 3, 0);
    (void)ends;
    see_result(count);
    for (int i = 0; i < count; i++) {
        see((long)found[i].data.u32);
        see((long)found[i].events);
    }
}

static void (*const kinds[])(const int *ends, const Call *call) = {
    call_write, call_read, call_write, call_read, call_poll, call_poll, call_select, call_close, call_shutdown,
    call_epoll};
static void (*const kinds_of_epoll[])(const int *ends, const Call *call) = {
    call_write, call_read, call_close, call_watch, call_watch, call_wait, call_wait, call_wait, call_forget};
static bool watches; /* which of the two */

void kernel_make_calls(void)
{
    int ends[ENDS];
    sennit_rt_signal(SIGPIPE, SIG_IGN);
    sennit_rt_pipe(&ends[SMALL_READ]);
    sennit_rt_pipe2(&ends[LARGE_READ], O_NONBLOCK);
    sennit_rt_socketpair(AF_UNIX, SOCK_STREAM, 0, &ends[STREAM]);
    sennit_rt_socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, &ends[PACKETS]);
    epoll = sennit_rt_epoll_create1(0);
    many = sennit_rt_epoll_create1(0);
    ends[EVENTS] = sennit_rt_eventfd(1, 0);
    ends[EVENTS_SINGLE] = sennit_rt_eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
    for (int i = 0; i < ENDS; i++)
        sennit_rt_fcntl(ends[i], F_SETFL, O_NONBLOCK);
    for (unsigned i = 0; i < call_count; i++)
        (watches ? kinds_of_epoll : kinds)[calls[i].kind](ends, &calls[i]);
    for (int i = 0; i < ENDS; i++)
        sennit_rt_close(ends[i]);
    sennit_rt_close(epoll);
    sennit_rt_close(many);
}

/* ---- The test -------------------------------------------------------------------------------- */

const unsigned kernel_retries = 1;

void kernel_generate(void)
{
    watches = kernel_draw(2);
    unsigned pair = kernel_draw(ENDS / 2), spread = watches ? 2 : 5;
    size_t kind_count = watches ? sizeof kinds_of_epoll / sizeof *kinds_of_epoll : sizeof kinds / sizeof *kinds;
    call_count = 3 + kernel_draw(MOST_CALLS - 2);
    for (unsigned i = 0; i < call_count; i++)
        calls[i] = (Call){kernel_draw((unsigned)kind_count),
                          2 * (kernel_draw(spread) ? pair : kernel_draw(ENDS / 2)) + kernel_draw(2), kernel_draw(4)};
}

void kernel_print(void)
{
    for (unsigned i = 0; i < call_count; i++)
        printf(" %u(end %u, %u)", calls[i].kind, calls[i].end, calls[i].amount);
}
