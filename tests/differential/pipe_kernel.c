/* pipe_kernel.c - the model of pipes and socket pairs against the kernel's
 *
 * Usage: pipe_kernel FROM TO
 *
 * Each seed is a random sequence of calls by one thread on descriptors that do not block. It is
 * made twice: inside an execution, where the model answers, and outside, where the same
 * functions call the system. All answers must be equal.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/explore.h"
#include "rt/libc/api_libc.h"
#include "rt/program/program_c.h"

enum { MOST_CALLS = 14, PAGE = 4096, MOST_SEEN = 8 * MOST_CALLS };

typedef struct Call {
    unsigned kind, end, amount;
} Call;

static Call calls[MOST_CALLS];
static unsigned call_count;

/* Ends: a pipe for a few bytes, one for whole pages, two kinds of sockets, two counters. */
enum { SMALL_READ, SMALL_WRITE, LARGE_READ, LARGE_WRITE, STREAM, STREAM_PEER, PACKETS, PACKETS_PEER, EVENTS, EVENTS_SINGLE, ENDS };

typedef struct Seen {
    int values[MOST_SEEN];
    unsigned count;
} Seen;

static Seen inside, outside, *seen;

static void see(long value) { seen->values[seen->count++] = (int)value; }
static void see_result(long result) { see(result < 0 ? -errno - 1000 : result); }

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

static int epoll;

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

static void (*const kinds[])(const int *ends, const Call *call) = {
    call_write, call_read, call_write, call_read, call_poll, call_poll, call_select, call_close, call_shutdown,
    call_epoll};

static void make_calls(void)
{
    int ends[ENDS];
    sennit_rt_signal(SIGPIPE, SIG_IGN);
    sennit_rt_pipe(&ends[SMALL_READ]);
    sennit_rt_pipe2(&ends[LARGE_READ], O_NONBLOCK);
    sennit_rt_socketpair(AF_UNIX, SOCK_STREAM, 0, &ends[STREAM]);
    sennit_rt_socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, &ends[PACKETS]);
    epoll = sennit_rt_epoll_create1(0);
    ends[EVENTS] = sennit_rt_eventfd(1, 0);
    ends[EVENTS_SINGLE] = sennit_rt_eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
    for (int i = 0; i < ENDS; i++)
        sennit_rt_fcntl(ends[i], F_SETFL, O_NONBLOCK);
    seen->count = 0;
    for (unsigned i = 0; i < call_count; i++)
        kinds[calls[i].kind](ends, &calls[i]);
    for (int i = 0; i < ENDS; i++)
        sennit_rt_close(ends[i]);
    sennit_rt_close(epoll);
}

/* ---- The test -------------------------------------------------------------------------------- */

static uint64_t random_state;

static unsigned draw(unsigned below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(random_state >> 33) % below;
}

static void make_program(uint64_t seed)
{
    random_state = seed * 0x9e3779b97f4a7c15ull + 12345;
    unsigned pair = draw(ENDS / 2);
    call_count = 3 + draw(MOST_CALLS - 2);
    for (unsigned i = 0; i < call_count; i++)
        calls[i] = (Call){draw(sizeof kinds / sizeof *kinds), 2 * (draw(5) ? pair : draw(ENDS / 2)) + draw(2), draw(4)};
}

int sennit_user_main(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    (void)envp;
    seen = &inside;
    make_calls();
    return 0;
}

static bool agree(uint64_t seed)
{
    if (inside.count == outside.count && memcmp(inside.values, outside.values, inside.count * sizeof *inside.values) == 0)
        return true;
    printf("seed %llu:", (unsigned long long)seed);
    for (unsigned i = 0; i < call_count; i++)
        printf(" %u(end %u, %u)", calls[i].kind, calls[i].end, calls[i].amount);
    for (unsigned i = 0; i < inside.count; i++)
        printf("%s%d%s%d", i ? ", " : "\n   ", inside.values[i], inside.values[i] == outside.values[i] ? "=" : " but the kernel says ",
               outside.values[i]);
    printf("\n");
    return false;
}

int main(int argc, char **argv)
{
    Error error = {0};
    static char *none[] = {NULL}; /* restored before each execution */
    RtOptions options = {.argv = none, .envp = none, .max_timeouts = 3};
    Region *region = region_create((size_t)1 << 32);
    Program *program = argc == 3 && region ? program_c_create(region, &options, &error) : NULL;
    uint64_t compared = 0, wrong = 0;
    if (!program) {
        fprintf(stderr, "usage: pipe_kernel FROM TO\n");
        return 2;
    }
    for (uint64_t seed = strtoull(argv[1], NULL, 10); seed < strtoull(argv[2], NULL, 10); seed++) {
        ExploreOptions search = {.max_preemptions = -1, .max_executions = 1, .reduction = REDUCTION_OPTIMAL};
        ExploreObserver observer = {0};
        make_program(seed);
        seen = &outside;
        make_calls();
        Explore *explore = explore_create(region, program, &search);
        explore_run(explore, &observer, 0);
        explore_destroy(explore);
        wrong += !agree(seed);
        compared++;
    }
    printf("%llu sequences compared, %llu mismatches\n", (unsigned long long)compared, (unsigned long long)wrong);
    return wrong ? 1 : 0;
}
