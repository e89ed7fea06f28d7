/* socket_kernel.c - the model of sockets against the kernel's, see kernel.h
 *
 * A few sockets, of Unix or TCP, which are bound, connected, accepted, used and closed in any order. Of TCP the kernel
 * may take a moment to deliver what is sent: see kernel_retries.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/un.h>
#include <unistd.h>

#include "kernel.h"
#include "rt/libc/api_libc.h"

enum { MOST_CALLS = 24, SLOTS = 6, NUMBERS = 32, NEXT_CALL = 9000 };

typedef struct Call {
    unsigned kind, slot, other, amount;
} Call;

static Call calls[MOST_CALLS];
static unsigned call_count;
static bool tcp;
static int slots[SLOTS];
/* By number, counted from the first one: has it been part of a connection, or should it have been? Then the kernel
 * allows things again, of TCP, that do not work here. */
static bool joined[NUMBERS], tried[NUMBERS];
static int epoll; /* the first descriptor */
static int edges;
static char buffer[64];

/* ---- Addresses ---------------------------------------------------------------------------------- */

typedef union Address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_un local;
} Address;

/* One that nobody has. */
static socklen_t address_of_nobody(Address *address)
{
    *address = (Address){.any.sa_family = tcp ? AF_INET : AF_UNIX};
    if (!tcp) {
        snprintf(address->local.sun_path + 1, 40, "sennit-nobody-%d", (int)getpid());
        return offsetof(struct sockaddr_un, sun_path) + 40;
    }
    address->v4.sin_port = htons(1);
    address->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return sizeof address->v4;
}

/* That of a socket, if it is bound. */
static socklen_t bound_address(unsigned slot, Address *address)
{
    socklen_t length = sizeof *address;
    memset(address, 0, sizeof *address);
    int error = tcp && tried[slots[slot] - epoll] ? -1 : sennit_rt_getsockname(slots[slot], &address->any, &length);
    bool bound = !error && (tcp ? address->v4.sin_port != 0 : length > sizeof address->any.sa_family);
    return bound ? length : address_of_nobody(address);
}

/* One of its own. */
static socklen_t new_address(unsigned slot, Address *address)
{
    *address = (Address){.any.sa_family = tcp ? AF_INET : AF_UNIX};
    if (tcp) {
        address->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return sizeof address->v4;
    }
    snprintf(address->local.sun_path + 1, 40, "sennit-%d-%u", (int)getpid(), slot);
    return offsetof(struct sockaddr_un, sun_path) + 40;
}

/* ---- Calls -------------------------------------------------------------------------------------- */

/* A new descriptor: its number, counted from the first one. */
static int see_new(int descriptor)
{
    see(descriptor < 0 ? -errno : descriptor - epoll);
    if (descriptor >= 0)
        joined[descriptor - epoll] = tried[descriptor - epoll] = false;
    return descriptor;
}

static int descriptor_of(const Call *call) { return slots[call->slot]; }

static bool may_bind(const Call *call) { return !tcp || !tried[slots[call->slot] - epoll]; }

static void call_bind(const Call *call)
{
    Address address;
    socklen_t length = call->amount ? new_address(call->slot, &address) : bound_address(call->other, &address);
    int on = 1;
    see_result(sennit_rt_setsockopt(descriptor_of(call), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
    if (may_bind(call) && (call->amount || ntohs(address.v4.sin_port) != 1 || !tcp))
        see_result(sennit_rt_bind(descriptor_of(call), &address.any, length));
}

static void call_listen(const Call *call)
{
    Address address;
    if (call->amount && may_bind(call)) {
        socklen_t length = new_address(call->slot, &address);
        see_result(sennit_rt_bind(descriptor_of(call), &address.any, length));
    }
    if (may_bind(call) || joined[slots[call->slot] - epoll])
        see_result(sennit_rt_listen(descriptor_of(call), 64));
}

/* Not to itself, which the kernel allows for TCP. */
static void call_connect(const Call *call)
{
    Address address, own;
    if (descriptor_of(call) == slots[call->other])
        return;
    socklen_t length = bound_address(call->other, &address);
    bound_address(call->slot, &own);
    if (tcp && ntohs(own.v4.sin_port) != 1 && own.v4.sin_port == address.v4.sin_port)
        return;
    int result = sennit_rt_connect(descriptor_of(call), &address.any, length);
    see_result(result);
    if (result < 0 && errno == EINPROGRESS && ntohs(address.v4.sin_port) != 1) {
        do
            result = sennit_rt_connect(descriptor_of(call), &address.any, length);
        while (result < 0 && errno == EALREADY);
        see_result(result);
    }
    joined[slots[call->slot] - epoll] |= result == 0;
    tried[slots[call->slot] - epoll] = true;
}

static void call_accept(const Call *call)
{
    int accepted = see_new(sennit_rt_accept4(descriptor_of(call), NULL, NULL, call->amount % 2 ? SOCK_NONBLOCK : 0));
    if (accepted < 0)
        return;
    sennit_rt_fcntl(accepted, F_SETFL, O_NONBLOCK);
    see_result(sennit_rt_close(slots[call->other]));
    slots[call->other] = accepted;
    joined[slots[call->other] - epoll] = tried[slots[call->other] - epoll] = true;
}

static void call_socket(const Call *call)
{
    see_result(sennit_rt_close(descriptor_of(call)));
    slots[call->slot] = see_new(sennit_rt_socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0));
}

static void call_close(const Call *call) { see_result(sennit_rt_close(descriptor_of(call))); }

static void call_shutdown(const Call *call)
{
    int listens = 0;
    socklen_t length = sizeof listens;
    sennit_rt_getsockopt(descriptor_of(call), SOL_SOCKET, SO_ACCEPTCONN, &listens, &length);
    if (!listens && joined[slots[call->slot] - epoll])
        see_result(sennit_rt_shutdown(descriptor_of(call), (int)call->amount % 3));
}

static void call_write(const Call *call)
{
    struct iovec parts[] = {{buffer, call->amount}, {buffer + 8, 2}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    memset(buffer, 'a' + (char)call->amount, sizeof buffer);
    switch (call->other % 4) {
    case 0: see_result(sennit_rt_writev(descriptor_of(call), parts, 2)); break;
    case 1: see_result(sennit_rt_send(descriptor_of(call), buffer, 1 + call->amount, MSG_NOSIGNAL)); break;
    case 2: see_result(sennit_rt_sendmsg(descriptor_of(call), &message, 0)); break;
    default: see_result(sennit_rt_write(descriptor_of(call), buffer, call->amount)); break;
    }
}

static void see_bytes(ssize_t count)
{
    see_result(count);
    for (ssize_t i = 0; i < count; i++)
        see(buffer[i]);
}

static void call_read(const Call *call)
{
    size_t size = call->amount ? 1 + call->amount * 3 : 0;
    struct iovec parts[] = {{buffer, 1}, {buffer + 1, size}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    switch (call->other % 6) {
    case 0: see_bytes(sennit_rt_readv(descriptor_of(call), parts, 2)); break;
    case 1: see_bytes(sennit_rt_recv(descriptor_of(call), buffer, size, MSG_PEEK)); break;
    case 2: see_bytes(sennit_rt_recvmsg(descriptor_of(call), &message, 0)); break;
    case 3: see_bytes(sennit_rt_recvfrom(descriptor_of(call), buffer, size, MSG_DONTWAIT, NULL, NULL)); break;
    case 4: see_bytes(sennit_rt_recv(descriptor_of(call), buffer, size, MSG_WAITALL)); break;
    default: see_bytes(sennit_rt_read(descriptor_of(call), buffer, size)); break;
    }
}

static void call_ask(const Call *call)
{
    Address address;
    int value = 0;
    socklen_t length = sizeof value, name_length = sizeof address;
    switch (call->amount) {
    case 0:
        see_result(sennit_rt_getsockopt(descriptor_of(call), SOL_SOCKET, SO_ERROR, &value, &length));
        see(value);
        break;
    case 1: see_result(sennit_rt_getpeername(descriptor_of(call), &address.any, &name_length)); break;
    case 2:
        see_result(sennit_rt_getsockopt(descriptor_of(call), SOL_SOCKET, SO_ACCEPTCONN, &value, &length));
        see(value);
        break;
    default: see_result(sennit_rt_fcntl(descriptor_of(call), F_GETFL) & O_ACCMODE); break;
    }
}

static void call_poll(const Call *call)
{
    static const short events[] = {0, POLLIN, POLLOUT, POLLIN | POLLOUT | POLLRDHUP};
    struct pollfd files[] = {{.fd = descriptor_of(call), .events = events[call->amount]},
                             {.fd = slots[call->other], .events = events[3 - call->amount]}};
    see_result(sennit_rt_poll(files, 2, 0));
    see(files[0].revents);
    see(files[1].revents);
}

static void call_select(const Call *call)
{
    fd_set reads, writes;
    struct timeval now = {0};
    int descriptor = descriptor_of(call);
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_SET(descriptor, &reads);
    FD_SET(descriptor, &writes);
    int result = sennit_rt_select(FD_SETSIZE, &reads, &writes, NULL, &now);
    see_result(result);
    see(result < 0 ? 0 : (FD_ISSET(descriptor, &reads) != 0) + 2 * (FD_ISSET(descriptor, &writes) != 0));
}

static void call_epoll(const Call *call)
{
    static const uint32_t events[] = {EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLOUT | EPOLLRDHUP, EPOLLIN | EPOLLONESHOT};
    struct epoll_event event = {.events = events[call->amount]}, found = {0};
    see_result(sennit_rt_epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor_of(call), &event));
    see_result(sennit_rt_epoll_wait(epoll, &found, 1, 0));
    see((long)found.events);
    see_result(sennit_rt_epoll_wait(epoll, &found, 1, 0));
    see_result(sennit_rt_epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor_of(call), &event));
}

/* With EPOLLET, in an epoll that lives as long as the calls. */
static void call_edge(const Call *call)
{
    static const uint32_t events[] = {EPOLLIN | EPOLLET, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, EPOLLOUT | EPOLLET,
                                      EPOLLIN | EPOLLET | EPOLLONESHOT};
    struct epoll_event event = {.events = events[call->amount], .data.u32 = call->slot};
    if (sennit_rt_epoll_ctl(edges, EPOLL_CTL_ADD, descriptor_of(call), &event) != 0)
        see_result(sennit_rt_epoll_ctl(edges, call->other % 2 ? EPOLL_CTL_MOD : EPOLL_CTL_DEL, descriptor_of(call), &event));
}

/* In any order. */
static void call_edges(const Call *call)
{
    struct epoll_event found[2 * SLOTS] = {0};
    int count = sennit_rt_epoll_wait(edges, found, 2 * SLOTS, 0);
    long sum = 0;
    (void)call;
    see_result(count);
    for (int i = 0; i < count; i++)
        sum += (long)(found[i].data.u32 + 1) * 1000003 + (long)found[i].events * 7919;
    see(sum);
}

/* The usual way: listen, connect, accept. */
static void call_join(const Call *call)
{
    Call next = *call;
    next.amount = 1;
    call_listen(&next);
    next.slot = call->other;
    next.other = call->slot;
    call_connect(&next);
    next.slot = call->slot;
    next.other = (call->other + 1) % SLOTS == call->slot ? (call->other + 2) % SLOTS : (call->other + 1) % SLOTS;
    call_accept(&next);
}

static void (*const kinds[])(const Call *call) = {call_join,   call_write, call_read,   call_write,    call_read,
                                                  call_poll,   call_close, call_socket, call_shutdown, call_ask,
                                                  call_select, call_epoll, call_bind,   call_listen,   call_connect,
                                                  call_accept, call_poll,  call_edge,   call_edges,    call_edges};

void kernel_make_calls(void)
{
    sennit_rt_signal(SIGPIPE, SIG_IGN);
    epoll = sennit_rt_epoll_create1(0);
    edges = sennit_rt_epoll_create1(0);
    for (int i = 0; i < SLOTS; i++)
        slots[i] = see_new(sennit_rt_socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0));
    for (unsigned i = 0; i < call_count; i++) {
        see(NEXT_CALL + i);
        kinds[calls[i].kind](&calls[i]);
    }
    for (int i = 0; i < SLOTS; i++)
        sennit_rt_close(slots[i]);
    sennit_rt_close(edges);
    sennit_rt_close(epoll);
}

/* ---- The test ----------------------------------------------------------------------------------- */

const unsigned kernel_retries = 5;

void kernel_generate(void)
{
    tcp = kernel_draw(2);
    call_count = 4 + kernel_draw(MOST_CALLS - 3);
    unsigned used = 2 + kernel_draw(SLOTS - 1);
    for (unsigned i = 0; i < call_count; i++) {
        unsigned kind = i == 0 ? 0 : kernel_draw(sizeof kinds / sizeof *kinds);
        unsigned slot = kernel_draw(used), other = kernel_draw(used);
        if (other == slot)
            other = (slot + 1) % used;
        calls[i] = (Call){kind, slot, other, kernel_draw(4)};
    }
}

void kernel_print(void)
{
    printf(tcp ? " tcp" : " unix");
    for (unsigned i = 0; i < call_count; i++)
        printf(" %u(%u, %u, %u)", calls[i].kind, calls[i].slot, calls[i].other, calls[i].amount);
}
