/* datagram_kernel.c - the model of UDP against the kernel's over the loopback device, see kernel.h
 *
 * A few sockets, which are bound, connected, used and closed in any order; a datagram arrives as it is sent.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>

#include "kernel.h"
#include "rt/libc/api_libc.h"

enum { MOST_CALLS = 24, SLOTS = 5, NEXT_CALL = 9000 };

typedef struct Call {
    unsigned kind, slot, other, amount;
} Call;

static Call calls[MOST_CALLS];
static unsigned call_count;
static int slots[SLOTS];
static int epoll; /* the first descriptor */
static bool connected[SLOTS];
static char buffer[64];

static int descriptor_of(const Call *call) { return slots[call->slot]; }

/* That of a socket; of one without a port one that nobody has. */
static struct sockaddr_in address_of_slot(unsigned slot)
{
    struct sockaddr_in address = {0};
    socklen_t length = sizeof address;
    if (sennit_rt_getsockname(slots[slot], (struct sockaddr *)&address, &length) < 0 || !address.sin_port)
        address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(1),
                                       .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return address;
}

/* Whose address it is: ports differ between the model and the kernel. */
static void see_address(const struct sockaddr_in *address)
{
    int found = -1;
    for (int i = 0; i < SLOTS; i++) {
        struct sockaddr_in own = address_of_slot((unsigned)i);
        if (own.sin_port == address->sin_port && own.sin_port != htons(1))
            found = i;
    }
    see(found);
    see((long)ntohl(address->sin_addr.s_addr));
}

static int see_new(int descriptor)
{
    see(descriptor < 0 ? -errno : descriptor - epoll);
    return descriptor;
}

static void open_slot(unsigned slot)
{
    slots[slot] = see_new(sennit_rt_socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, slot % 2 ? IPPROTO_UDP : 0));
    connected[slot] = false;
}

static void call_socket(const Call *call)
{
    see_result(sennit_rt_close(descriptor_of(call)));
    open_slot(call->slot);
}

static void call_close(const Call *call) { see_result(sennit_rt_close(descriptor_of(call))); }

static void call_bind(const Call *call)
{
    struct sockaddr_in address = {.sin_family = call->amount == 3 ? AF_INET6 : AF_INET,
                                  .sin_addr.s_addr = htonl(call->amount ? INADDR_LOOPBACK : INADDR_ANY)};
    if (call->amount == 2)
        address = address_of_slot(call->other);
    if (address.sin_port != htons(1))
        see_result(sennit_rt_bind(descriptor_of(call), (struct sockaddr *)&address, sizeof address));
}

static void call_connect(const Call *call)
{
    struct sockaddr_in address = address_of_slot(call->other);
    int result = sennit_rt_connect(descriptor_of(call), (struct sockaddr *)&address, sizeof address);
    see_result(result);
    connected[call->slot] |= result == 0;
}

static void call_send(const Call *call)
{
    struct sockaddr_in address = address_of_slot(call->other);
    struct iovec parts[] = {{buffer, call->amount}, {buffer + 8, 2}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2, .msg_name = &address, .msg_namelen = sizeof address};
    memset(buffer, 'a' + (char)call->amount, sizeof buffer);
    if (call->amount % 2)
        see_result(sennit_rt_sendmsg(descriptor_of(call), &message, 0));
    else
        see_result(sennit_rt_sendto(descriptor_of(call), buffer, call->amount, MSG_NOSIGNAL,
                                    (struct sockaddr *)&address, sizeof address));
}

static void call_write(const Call *call)
{
    struct iovec parts[] = {{buffer, call->amount}, {buffer + 8, 2}};
    memset(buffer, 'e' + (char)call->amount, sizeof buffer);
    switch (call->other % 3) {
    case 0: see_result(sennit_rt_writev(descriptor_of(call), parts, 2)); break;
    case 1: see_result(sennit_rt_send(descriptor_of(call), buffer, call->amount, 0)); break;
    default: see_result(sennit_rt_write(descriptor_of(call), buffer, 1 + call->amount)); break;
    }
}

static void call_send_wrong(const Call *call)
{
    static char much[70000];
    struct sockaddr_in address = address_of_slot(call->other);
    address.sin_port = call->amount == 1 ? 0 : address.sin_port;
    see_result(sennit_rt_sendto(descriptor_of(call), much, call->amount == 2 ? sizeof much : call->amount == 3 ? 65508 : 1,
                                0, (struct sockaddr *)&address, call->amount ? sizeof address : 3));
}

static void see_bytes(ssize_t count)
{
    see_result(count);
    for (ssize_t i = 0; i < count && i < (ssize_t)sizeof buffer; i++)
        see(buffer[i]);
}

static void receive_from(const Call *call, size_t size, int flags)
{
    struct sockaddr_in from = {0};
    socklen_t length = sizeof from;
    memset(buffer, 0, sizeof buffer);
    ssize_t count = sennit_rt_recvfrom(descriptor_of(call), buffer, size, flags, (struct sockaddr *)&from, &length);
    see_bytes(count);
    if (count >= 0)
        see_address(&from);
}

static void call_receive(const Call *call)
{
    struct sockaddr_in from = {0};
    size_t size = call->amount;
    struct iovec parts[] = {{buffer, 1}, {buffer + 1, size}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2, .msg_name = &from, .msg_namelen = sizeof from};
    memset(buffer, 0, sizeof buffer);
    switch (call->other % 5) {
    case 0: see_bytes(sennit_rt_readv(descriptor_of(call), parts, 2)); break;
    case 1: receive_from(call, size, MSG_PEEK); break;
    case 2: receive_from(call, size, MSG_TRUNC); break;
    case 3: see_bytes(sennit_rt_read(descriptor_of(call), buffer, size)); break;
    default:
        see_bytes(sennit_rt_recvmsg(descriptor_of(call), &message, 0));
        see(message.msg_flags);
        see(message.msg_namelen);
        break;
    }
}

static void call_receive_all(const Call *call) { receive_from(call, sizeof buffer, 0); }

/* Of a socket that was never connected only that it fails matters: it goes on. */
static void call_shutdown(const Call *call) { see_result(sennit_rt_shutdown(descriptor_of(call), (int)call->amount % 3)); }

static void call_ask(const Call *call)
{
    struct sockaddr_in address = {0};
    int value = 0, names[] = {SO_ERROR, SO_TYPE, SO_PROTOCOL, SO_ACCEPTCONN};
    socklen_t length = sizeof value, size = sizeof address;
    switch (call->other) {
    case 0:
        see_result(sennit_rt_getpeername(descriptor_of(call), (struct sockaddr *)&address, &size));
        see_address(&address);
        break;
    case 1:
        see_result(sennit_rt_getsockname(descriptor_of(call), (struct sockaddr *)&address, &size));
        see_address(&address);
        break;
    case 2:
        if (sennit_rt_fcntl(descriptor_of(call), F_GETFL) >= 0) {
            see_result(sennit_rt_ioctl(descriptor_of(call), FIONREAD, &value));
            see(value);
        }
        break;
    case 3: see_result(sennit_rt_listen(descriptor_of(call), 1)); break;
    default:
        see_result(sennit_rt_getsockopt(descriptor_of(call), SOL_SOCKET, names[call->amount], &value, &length));
        see(value);
        break;
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

static void call_epoll(const Call *call)
{
    static const uint32_t events[] = {EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLOUT | EPOLLRDHUP, EPOLLIN | EPOLLONESHOT};
    struct epoll_event event = {.events = events[call->amount]}, found = {0};
    see_result(sennit_rt_epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor_of(call), &event));
    see_result(sennit_rt_epoll_wait(epoll, &found, 1, 0));
    see((long)found.events);
    see_result(sennit_rt_epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor_of(call), &event));
}

static void (*const kinds[])(const Call *call) = {
    call_bind, call_send,  call_receive,     call_send, call_receive_all, call_connect, call_write, call_receive, call_poll,
    call_ask,  call_close, call_socket, call_shutdown, call_epoll, call_send_wrong, call_send, call_ask, call_bind};

void kernel_make_calls(void)
{
    epoll = sennit_rt_epoll_create1(0);
    for (unsigned i = 0; i < SLOTS; i++)
        open_slot(i);
    for (unsigned i = 0; i < call_count; i++) {
        see(NEXT_CALL + i);
        kinds[calls[i].kind](&calls[i]);
    }
    for (int i = 0; i < SLOTS; i++)
        sennit_rt_close(slots[i]);
    sennit_rt_close(epoll);
}

const unsigned kernel_retries = 3;

void kernel_generate(void)
{
    call_count = 4 + kernel_draw(MOST_CALLS - 3);
    unsigned used = 2 + kernel_draw(SLOTS - 1);
    for (unsigned i = 0; i < call_count; i++)
        calls[i] = (Call){i == 0 ? 0 : kernel_draw(sizeof kinds / sizeof *kinds), kernel_draw(used), kernel_draw(used),
                          i == 0 ? 1 : kernel_draw(4)};
}

void kernel_print(void)
{
    for (unsigned i = 0; i < call_count; i++)
        printf(" %u(%u, %u, %u)", calls[i].kind, calls[i].slot, calls[i].other, calls[i].amount);
}
