/* pipe_models.c - pipes, socket pairs, poll and select against brute force, see models.h */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>

#include "models.h"
#include "rt/libc/api_libc.h"

static struct {
    int pipes[2][2];     /* read end, write end             */
    int sockets[2];
    int packets[2];
    int events[2];       /* the second is a semaphore       */
    int epoll;           /* of a counter and a pipe         */
} shared;

/* What the instrumenter would say of this program. */
__attribute__((section("sennit_redirected"), used)) static const char uses_cancel[] = "pthread_cancel";

/* What a call answered, with errno. */
static void see_result(ssize_t result) { see(result < 0 ? -errno - 1000 : (int)result); }

/* What was read too. */
static void see_bytes(ssize_t result, const char *bytes)
{
    see_result(result);
    for (ssize_t i = 0; i < result; i++)
        see(bytes[i]);
}

static char own_letter(void) { return (char)('a' + thread_self()); }

/* ---- Pipes -------------------------------------------------------------------------------- */

static void write_some(int descriptor, size_t size)
{
    char bytes[4] = {own_letter(), own_letter(), own_letter(), own_letter()};
    see_result(sennit_rt_write(descriptor, bytes, size));
}

static void read_some(int descriptor, size_t size)
{
    char bytes[4];
    see_bytes(sennit_rt_read(descriptor, bytes, size), bytes);
}

static void op_write(int n) { write_some(shared.pipes[n][1], 1); }
static void op_write_more(int n) { write_some(shared.pipes[n][1], 3); }
static void op_read(int n) { read_some(shared.pipes[n][0], 2); }
static void op_read_byte(int n) { read_some(shared.pipes[n][0], 1); }
static void op_close_read(int n) { see_result(sennit_rt_close(shared.pipes[n][0])); }
static void op_close_write(int n) { see_result(sennit_rt_close(shared.pipes[n][1])); }

static void op_no_wait(int n)
{
    see_result(sennit_rt_fcntl(shared.pipes[0][n], F_SETFL, O_NONBLOCK));
    see_result(sennit_rt_fcntl(shared.pipes[0][n], F_GETFL, 0));
}

/* So much that it does not fit twice, and is taken apart. */
static void op_fill(int n)
{
    static char much[40000];
    see_result(sennit_rt_write(shared.pipes[n][1], much, sizeof much));
}

static void op_drain(int n)
{
    static char much[60000];
    see_result(sennit_rt_read(shared.pipes[n][0], much, sizeof much));
}

static void op_ignore(int n) { sennit_rt_signal(SIGPIPE, n ? SIG_IGN : SIG_DFL); }

/* ---- Sockets ------------------------------------------------------------------------------- */

static void op_send(int n) { write_some(shared.sockets[n], 2); }
static void op_recv(int n) { read_some(shared.sockets[n], 4); }
static void op_close_socket(int n) { see_result(sennit_rt_close(shared.sockets[n])); }
static void op_shut(int n) { see_result(sennit_rt_shutdown(shared.sockets[n], SHUT_WR)); }
static void op_send_packet(int n) { write_some(shared.packets[0], n ? 3 : 0); }
static void op_recv_packet(int n) { read_some(shared.packets[1], n ? 2 : 4); }

static void op_send_silent(int n)
{
    char byte = own_letter();
    see_result(sennit_rt_send(shared.sockets[n], &byte, 1, MSG_NOSIGNAL));
}

/* The first thread can be cancelled where it waits. */
static void op_cancel(int n)
{
    (void)n;
    if (models_self() != models_first())
        see(sennit_rt_pthread_cancel(models_first()->handle));
}

/* ---- Counters -------------------------------------------------------------------------------- */

static void op_event_write(int n) { see(sennit_rt_eventfd_write(shared.events[n], 1)); }
static void op_event_close(int n) { see_result(sennit_rt_close(shared.events[n])); }
static void op_event_no_wait(int n) { see_result(sennit_rt_fcntl(shared.events[n], F_SETFL, O_NONBLOCK)); }

static void op_event_read(int n)
{
    eventfd_t value = 0;
    see_result(sennit_rt_read(shared.events[n], &value, sizeof value));
    see((int)value);
}

/* ---- Waiting -------------------------------------------------------------------------------- */

static void poll_files(struct pollfd *files, nfds_t count, int timeout)
{
    see_result(sennit_rt_poll(files, count, timeout));
    for (nfds_t i = 0; i < count; i++)
        see(files[i].revents);
}

static void poll_pipes(int timeout)
{
    struct pollfd files[] = {{.fd = shared.pipes[0][0], .events = POLLIN}, {.fd = shared.pipes[1][0], .events = POLLIN}};
    poll_files(files, 2, timeout);
}

static void op_poll(int n) { (void)n; poll_pipes(-1); }
static void op_poll_now(int n) { poll_pipes(n ? 0 : 10); }

static void op_poll_socket(int n)
{
    struct pollfd file = {.fd = shared.sockets[n], .events = POLLIN | POLLRDHUP};
    poll_files(&file, 1, -1);
}

static void op_poll_events(int n)
{
    struct pollfd files[] = {{.fd = shared.events[n], .events = POLLIN}, {.fd = shared.pipes[1][0], .events = POLLIN}};
    poll_files(files, 2, n ? -1 : 10);
}

static void see_epoll(int limit, int timeout)
{
    struct epoll_event found[2];
    int count = sennit_rt_epoll_wait(shared.epoll, found, limit, timeout);
    see_result(count);
    for (int i = 0; i < count; i++)
        see((int)(found[i].events + found[i].data.u32));
}

static void op_epoll(int n) { see_epoll(1 + n, -1); }
static void op_epoll_now(int n) { see_epoll(2, n ? 0 : 10); }

static void op_epoll_change(int n)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.u32 = 500};
    see_result(sennit_rt_epoll_ctl(shared.epoll, n ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, shared.events[0], &event));
}

static void op_epoll_remove(int n)
{
    see_result(sennit_rt_epoll_ctl(shared.epoll, EPOLL_CTL_DEL, n ? shared.pipes[0][0] : shared.events[0], NULL));
}

/* Only what is told unasked. */
static void op_poll_gone(int n)
{
    struct pollfd files[] = {{.fd = shared.sockets[n]}, {.fd = shared.pipes[0][1]}, {.fd = shared.pipes[1][0]}};
    poll_files(files, 3, -1);
}

/* Both ends of a pipe: one channel, looked at twice. */
static void op_poll_ends(int n)
{
    struct pollfd files[] = {{.fd = shared.pipes[n][0], .events = POLLIN}, {.fd = shared.pipes[n][1]}};
    poll_files(files, 2, -1);
}

static void op_poll_room(int n)
{
    struct pollfd file = {.fd = shared.pipes[n][1], .events = POLLOUT};
    static char much[62000];
    see_result(sennit_rt_write(shared.pipes[n][1], much, sizeof much));
    poll_files(&file, 1, -1);
}

static void op_select(int n)
{
    fd_set reads, writes;
    struct timeval soon = {.tv_sec = n};
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_SET(shared.pipes[0][0], &reads);
    FD_SET(shared.sockets[0], &reads);
    FD_SET(shared.sockets[1], n ? &writes : &reads);
    see_result(sennit_rt_select(FD_SETSIZE, &reads, &writes, NULL, n ? &soon : NULL));
    see((FD_ISSET(shared.pipes[0][0], &reads) != 0) + 2 * (FD_ISSET(shared.sockets[0], &reads) != 0) +
        4 * (FD_ISSET(shared.sockets[1], &writes) != 0));
}

/* ---- The test ---------------------------------------------------------------------------------- */

static const Operation operations[] = {
#define OPERATION(name) {#name, op_##name}
    OPERATION(no_wait), OPERATION(write), OPERATION(read), OPERATION(write_more), OPERATION(read_byte),
    OPERATION(close_write), OPERATION(poll), OPERATION(poll_now), OPERATION(close_read), OPERATION(ignore),
    OPERATION(poll_ends), OPERATION(fill), OPERATION(drain), OPERATION(poll_room), OPERATION(poll_gone),
    OPERATION(close_socket), OPERATION(recv), OPERATION(select), OPERATION(send), OPERATION(shut),
    OPERATION(event_write), OPERATION(event_read), OPERATION(poll_events), OPERATION(event_close),
    OPERATION(event_no_wait), OPERATION(epoll), OPERATION(epoll_now), OPERATION(epoll_change),
    OPERATION(epoll_remove), OPERATION(poll_socket), OPERATION(send_silent), OPERATION(send_packet), OPERATION(recv_packet), OPERATION(cancel),
#undef OPERATION
};

static void prepare(void)
{
    for (int i = 0; i < 2; i++)
        sennit_rt_pipe(shared.pipes[i]);
    sennit_rt_socketpair(AF_UNIX, SOCK_STREAM, 0, shared.sockets);
    sennit_rt_socketpair(AF_UNIX, SOCK_SEQPACKET, 0, shared.packets);
    shared.events[0] = sennit_rt_eventfd(0, 0);
    shared.events[1] = sennit_rt_eventfd(1, EFD_SEMAPHORE);
    shared.epoll = sennit_rt_epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 100};
    sennit_rt_epoll_ctl(shared.epoll, EPOLL_CTL_ADD, shared.events[0], &event);
    event.data.u32 = 200;
    sennit_rt_epoll_ctl(shared.epoll, EPOLL_CTL_ADD, shared.pipes[0][0], &event);
}

int main(int argc, char **argv)
{
    static const Models models = {operations, sizeof operations / sizeof *operations, prepare};
    return models_main(argc, argv, &models);
}
