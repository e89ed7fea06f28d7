/* socket_models.c - sockets against brute force, see models.h */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "models.h"
#include "rt/libc/api_libc.h"

static struct {
    int listener;         /* of TCP                              */
    int tcp[2], local[2]; /* connections                         */
    int epoll;            /* of the listener and a connection    */
    int edges;            /* of both connections, with EPOLLET   */
} shared;

/* What the instrumenter would say of this program. */
__attribute__((section("sennit_redirected"), used)) static const char uses_cancel[] = "pthread_cancel";

static const struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = 0x5000, .sin_addr.s_addr = 0x0100007f};

static void see_result(ssize_t result) { see(result < 0 ? -errno - 1000 : (int)result); }

static void see_bytes(ssize_t result, const char *bytes)
{
    see_result(result);
    for (ssize_t i = 0; i < result; i++)
        see(bytes[i]);
}

static char own_letter(void) { return (char)('a' + models_index()); }

/* ---- Bytes ---------------------------------------------------------------------------------- */

static void write_some(int descriptor, size_t size)
{
    char bytes[4] = {own_letter(), own_letter(), own_letter(), own_letter()};
    see_result(sennit_rt_send(descriptor, bytes, size, MSG_NOSIGNAL));
}

static void read_some(int descriptor, size_t size, int flags)
{
    char bytes[4];
    see_bytes(sennit_rt_recv(descriptor, bytes, size, flags), bytes);
}

static void op_write(int n) { write_some(shared.tcp[n], 2); }
static void op_read(int n) { read_some(shared.tcp[n], 4, 0); }
static void op_read_byte(int n) { read_some(shared.tcp[n], 1, 0); }
static void op_read_all(int n) { read_some(shared.tcp[n], 3, MSG_WAITALL); }
static void op_peek(int n) { read_some(shared.tcp[n], 4, MSG_PEEK | MSG_DONTWAIT); }
static void op_write_local(int n) { write_some(shared.local[n], 1); }
static void op_read_local(int n) { read_some(shared.local[n], 2, 0); }

static void op_unread(int n)
{
    int count = -1;
    see_result(sennit_rt_ioctl(shared.tcp[n], FIONREAD, &count));
    see(count);
}

/* So much that it does not fit twice; but how much is taken by an end that is shut down depends on the delivery. */
static void op_fill(int n)
{
    static char much[150000];
    see_result(sennit_rt_send(shared.tcp[n], much, models_deliver() ? 30000 : sizeof much, MSG_NOSIGNAL));
}

static void op_drain(int n)
{
    static char much[200000];
    see_result(sennit_rt_recv(shared.tcp[n], much, sizeof much, 0));
}

/* Several pieces. */
static void op_write_much(int n)
{
    static char much[80000];
    see_result(sennit_rt_send(shared.local[n], much, sizeof much, MSG_NOSIGNAL));
}

static void op_read_much(int n)
{
    static char much[80000];
    see_result(sennit_rt_recv(shared.local[n], much, n ? sizeof much : 40000, 0));
}

/* ---- Ends ----------------------------------------------------------------------------------- */

static void op_close(int n) { see_result(sennit_rt_close(shared.tcp[n])); }
static void op_close_local(int n) { see_result(sennit_rt_close(shared.local[n])); }
static void op_end(int n) { see_result(sennit_rt_shutdown(shared.tcp[n], SHUT_WR)); }
static void op_end_local(int n) { see_result(sennit_rt_shutdown(shared.local[n], n ? SHUT_RD : SHUT_WR)); }
static void op_end_both(int n) { see_result(sennit_rt_shutdown(shared.tcp[n], SHUT_RDWR)); }
static void op_no_wait(int n) { see_result(sennit_rt_fcntl(shared.tcp[n], F_SETFL, O_NONBLOCK)); }

static void op_error(int n)
{
    int value = -1;
    socklen_t length = sizeof value;
    see_result(sennit_rt_getsockopt(shared.tcp[n], SOL_SOCKET, SO_ERROR, &value, &length));
    see(value);
}

static void op_name(int n)
{
    struct sockaddr_in name;
    socklen_t length = sizeof name;
    see_result(sennit_rt_getpeername(shared.tcp[n], (struct sockaddr *)&name, &length));
}

/* ---- Connections ---------------------------------------------------------------------------- */

static void op_connect(int n)
{
    int client = sennit_rt_socket(AF_INET, SOCK_STREAM | (n ? SOCK_NONBLOCK : 0), 0);
    see_result(sennit_rt_connect(client, (const struct sockaddr *)&place, sizeof place));
    write_some(client, 1);
}

static void op_accept(int n)
{
    int accepted = sennit_rt_accept(shared.listener, NULL, NULL);
    see(accepted < 0 ? -errno : 1);
    if (accepted >= 0 && n)
        read_some(accepted, 4, 0);
}

static void op_close_listener(int n)
{
    (void)n;
    see_result(sennit_rt_close(shared.listener));
}

static void op_bind(int n)
{
    int other = sennit_rt_socket(AF_INET, SOCK_STREAM, 0), on = n;
    see_result(sennit_rt_setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
    see_result(sennit_rt_bind(other, (const struct sockaddr *)&place, sizeof place));
    see_result(sennit_rt_listen(other, 1));
}

static void op_listener_no_wait(int n)
{
    (void)n;
    see_result(sennit_rt_fcntl(shared.listener, F_SETFL, O_NONBLOCK));
}

/* ---- Waiting -------------------------------------------------------------------------------- */

static void poll_files(struct pollfd *files, nfds_t count, int timeout)
{
    see_result(sennit_rt_poll(files, count, timeout));
    for (nfds_t i = 0; i < count; i++)
        see(files[i].revents);
}

static void op_poll(int n)
{
    struct pollfd files[] = {{.fd = shared.tcp[0], .events = POLLIN}, {.fd = shared.local[1], .events = POLLIN}};
    poll_files(files, 2, n ? -1 : 10);
}

static void op_poll_more(int n)
{
    struct pollfd file = {.fd = shared.tcp[n], .events = POLLIN | POLLRDHUP};
    poll_files(&file, 1, -1);
}

static void op_poll_room(int n)
{
    struct pollfd file = {.fd = shared.tcp[n], .events = POLLOUT};
    poll_files(&file, 1, -1);
}

static void op_poll_gone(int n)
{
    struct pollfd files[] = {{.fd = shared.tcp[n]}, {.fd = shared.local[n]}};
    poll_files(files, 2, -1);
}

static void op_poll_listener(int n)
{
    struct pollfd files[] = {{.fd = shared.listener, .events = POLLIN}, {.fd = shared.tcp[n], .events = POLLIN}};
    poll_files(files, 2, -1);
}

static void wait_for_events(int epoll, int timeout)
{
    struct epoll_event found[2];
    int count = sennit_rt_epoll_wait(epoll, found, 2, timeout);
    see_result(count);
    for (int i = 0; i < count; i++)
        see((int)(found[i].events + found[i].data.u32));
}

static void op_epoll(int n) { wait_for_events(shared.epoll, n ? -1 : 10); }
static void op_edges(int n) { wait_for_events(shared.edges, n ? -1 : 10); }

/* The first thread can be cancelled where it waits. */
static void op_cancel(int n)
{
    (void)n;
    if (models_self() != models_first())
        see(sennit_rt_pthread_cancel(models_first()->handle));
}

/* ---- The test ------------------------------------------------------------------------------- */

static const Operation operations[] = {
#define OPERATION(name) {#name, op_##name}
    OPERATION(write), OPERATION(read), OPERATION(read_byte), OPERATION(poll), OPERATION(close), OPERATION(poll_more),
    OPERATION(end), OPERATION(no_wait), OPERATION(read_all), OPERATION(peek), OPERATION(unread), OPERATION(error),
    OPERATION(name), OPERATION(end_both), OPERATION(fill), OPERATION(drain), OPERATION(poll_room),
    OPERATION(poll_gone), OPERATION(write_local), OPERATION(read_local), OPERATION(close_local), OPERATION(end_local),
    OPERATION(poll_listener), OPERATION(connect), OPERATION(accept), OPERATION(epoll), OPERATION(edges),
    OPERATION(listener_no_wait), OPERATION(close_listener), OPERATION(bind), OPERATION(cancel), OPERATION(write_much),
    OPERATION(read_much),
#undef OPERATION
};

static void prepare(void)
{
    sennit_rt_signal(SIGPIPE, SIG_IGN);
    shared.listener = sennit_rt_socket(AF_INET, SOCK_STREAM, 0);
    sennit_rt_bind(shared.listener, (const struct sockaddr *)&place, sizeof place);
    sennit_rt_listen(shared.listener, 8);
    shared.tcp[0] = sennit_rt_socket(AF_INET, SOCK_STREAM, 0);
    sennit_rt_connect(shared.tcp[0], (const struct sockaddr *)&place, sizeof place);
    shared.tcp[1] = sennit_rt_accept(shared.listener, NULL, NULL);
    sennit_rt_socketpair(AF_UNIX, SOCK_STREAM, 0, shared.local);
    shared.epoll = sennit_rt_epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 100};
    sennit_rt_epoll_ctl(shared.epoll, EPOLL_CTL_ADD, shared.listener, &event);
    event.data.u32 = 200;
    sennit_rt_epoll_ctl(shared.epoll, EPOLL_CTL_ADD, shared.tcp[0], &event);
    shared.edges = sennit_rt_epoll_create1(0);
    event.events = EPOLLIN | EPOLLET;
    sennit_rt_epoll_ctl(shared.edges, EPOLL_CTL_ADD, shared.tcp[0], &event);
    event.data.u32 = 300;
    sennit_rt_epoll_ctl(shared.edges, EPOLL_CTL_ADD, shared.local[1], &event);
}

int main(int argc, char **argv)
{
    static const Models models = {operations, sizeof operations / sizeof *operations, prepare};
    return models_main(argc, argv, &models);
}
