/* api_socket.c - calls on sockets: of this process (socket.h), pairs of packets (pipe.h), or of the system */
#include <errno.h>
#include <sys/un.h>

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/io/descriptor.h"
#include "rt/libc/api_libc.h"
#include "rt/net/connect.h"
#include "rt/net/datagram.h"
#include "rt/net/option.h"

static int fail(int error)
{
    errno = error;
    return -1;
}

/* ---- Making ------------------------------------------------------------------------------- */

enum { SOCK_FLAGS = SOCK_NONBLOCK | SOCK_CLOEXEC };

static PipeEnd *make_socket(int family, bool tcp, int flags)
{
    PipeEnd *end = pipe_add_end();
    Socket *socket = socket_create(socket_new_name(end), family, tcp);
    if (flags & SOCK_NONBLOCK)
        socket->file |= FILE_NO_WAIT;
    end->socket = true;
    end->net = socket;
    return end;
}

static PipeEnd *make_udp(int family, int flags)
{
    PipeEnd *end = make_socket(family, false, flags);
    end->net->datagrams = true;
    end->net->in = flow_create(end->net->name << 1);
    return end;
}

int sennit_rt_socket(int domain, int type, int protocol)
{
    int kind = type & ~SOCK_FLAGS;
    if (!rt.self)
        return descriptor_keep(socket(domain, type, protocol));
    if (domain != AF_UNIX && domain != AF_INET && domain != AF_INET6)
        report_not_modelled("a socket other than AF_UNIX, AF_INET and AF_INET6");
    if (kind == SOCK_DGRAM && domain != AF_UNIX)
        return protocol && protocol != IPPROTO_UDP ? fail(EPROTONOSUPPORT) : make_udp(domain, type)->descriptor;
    if (kind != SOCK_STREAM)
        report_not_modelled("a socket other than SOCK_STREAM, and of UDP SOCK_DGRAM");
    if (protocol && (domain == AF_UNIX || protocol != IPPROTO_TCP))
        return fail(EPROTONOSUPPORT);
    return make_socket(domain, domain != AF_UNIX, type)->descriptor;
}

int sennit_rt_socketpair(int domain, int type, int protocol, int descriptors[2])
{
    if (!rt.self)
        return socketpair(domain, type, protocol, descriptors);
    if (domain != AF_UNIX)
        return fail(EOPNOTSUPP);
    if ((type & ~SOCK_FLAGS) != SOCK_STREAM)
        return pipe_make_packets(type, descriptors);
    PipeEnd *ends[2] = {make_socket(AF_UNIX, false, type), make_socket(AF_UNIX, false, type)};
    socket_join(ends[0]->net, ends[1]->net, ends[0]->net->name << 1);
    plain_overwrite(descriptors, 2 * sizeof *descriptors);
    for (int i = 0; i < 2; i++) {
        ends[i]->net->file |= FILE_TOLD;
        ends[i]->net->remote = address_none(AF_UNIX);
        descriptors[i] = ends[i]->descriptor;
    }
    shadow_memory_overwritten(descriptors, 2 * sizeof *descriptors);
    return 0;
}

/* ---- Finding each other ------------------------------------------------------------------- */

/* A socket of this process that a call is for; NULL: it fails, with errno. */
static Socket *find(int descriptor, const char *function)
{
    PipeEnd *end = pipe_find(descriptor);
    if (end && end->net)
        return end->net;
    if (end && end->socket)
        report_not_modelled(function);
    errno = end || fcntl(descriptor, F_GETFD) >= 0 ? ENOTSOCK : EBADF;
    return NULL;
}

int sennit_rt_bind(int descriptor, const struct sockaddr *address, socklen_t length)
{
    if (!rt.self)
        return bind(descriptor, address, length);
    Socket *socket = find(descriptor, "bind of a pair of packet sockets");
    return socket ? socket_bind(socket, address, length) : -1;
}

int sennit_rt_listen(int descriptor, int backlog)
{
    if (!rt.self)
        return listen(descriptor, backlog);
    Socket *socket = find(descriptor, "listen on a pair of packet sockets");
    return socket ? socket_listen(socket) : -1;
}

int sennit_rt_connect(int descriptor, const struct sockaddr *address, socklen_t length)
{
    if (!rt.self)
        return connect(descriptor, address, length);
    Socket *socket = find(descriptor, "connect of a pair of packet sockets");
    return socket ? socket_connect(socket, address, length) : -1;
}

static int accept_with(int descriptor, struct sockaddr *address, socklen_t *length, int flags)
{
    Socket *socket = find(descriptor, "accept on a pair of packet sockets");
    Socket *accepted = socket ? socket_accept(socket) : NULL;
    if (!accepted)
        return -1;
    accepted->file |= FILE_TOLD | (flags & SOCK_NONBLOCK ? FILE_NO_WAIT : 0);
    if (address)
        address_write(&accepted->remote, address, length);
    return socket_open(accepted);
}

int sennit_rt_accept(int descriptor, struct sockaddr *address, socklen_t *length)
{
    return rt.self ? accept_with(descriptor, address, length, 0) : accept(descriptor, address, length);
}

int sennit_rt_accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags)
{
    if (!rt.self)
        return accept4(descriptor, address, length, flags);
    return flags & ~SOCK_FLAGS ? fail(EINVAL) : accept_with(descriptor, address, length, flags);
}

int sennit_rt_getsockname(int descriptor, struct sockaddr *address, socklen_t *length)
{
    if (!rt.self)
        return getsockname(descriptor, address, length);
    Socket *socket = find(descriptor, "getsockname of a pair of packet sockets");
    return socket ? socket_name(socket, SOCKET_OWN, address, length) : -1;
}

int sennit_rt_getpeername(int descriptor, struct sockaddr *address, socklen_t *length)
{
    if (!rt.self)
        return getpeername(descriptor, address, length);
    Socket *socket = find(descriptor, "getpeername of a pair of packet sockets");
    return socket ? socket_name(socket, SOCKET_OTHER, address, length) : -1;
}

int sennit_rt_setsockopt(int descriptor, int level, int name, const void *value, socklen_t length)
{
    if (!rt.self)
        return setsockopt(descriptor, level, name, value, length);
    Socket *socket = find(descriptor, "setsockopt on a pair of packet sockets");
    return socket ? socket_set_option(socket, level, name, value, length) : -1;
}

int sennit_rt_getsockopt(int descriptor, int level, int name, void *value, socklen_t *length)
{
    if (!rt.self)
        return getsockopt(descriptor, level, name, value, length);
    Socket *socket = find(descriptor, "getsockopt on a pair of packet sockets");
    return socket ? socket_get_option(socket, level, name, value, length) : -1;
}

/* ---- Bytes -------------------------------------------------------------------------------- */

enum {
    SEND_FLAGS = MSG_NOSIGNAL | MSG_DONTWAIT | MSG_CONFIRM,
    RECEIVE_FLAGS = MSG_NOSIGNAL | MSG_DONTWAIT | MSG_PEEK | MSG_WAITALL | MSG_CMSG_CLOEXEC
};

static void require_flags(int flags, int known)
{
    if (flags & ~known)
        report_not_modelled("a flag of send or recv that is not MSG_NOSIGNAL, DONTWAIT, PEEK, WAITALL, MORE or, of "
                            "datagrams, TRUNC");
}

/* A pair of packet sockets. */
static ssize_t send_packet(PipeEnd *end, const void *from, size_t size, int flags)
{
    require_flags(flags, MSG_NOSIGNAL);
    return pipe_write(end, from, size, flags & MSG_NOSIGNAL ? PIPE_SILENT : PIPE_SIGNALS);
}

static ssize_t receive_packet(PipeEnd *end, void *to, size_t size, int flags)
{
    require_flags(flags, MSG_NOSIGNAL);
    return pipe_read(end, to, size);
}

/* The end of this process that is a socket; NULL: it fails. */
static PipeEnd *find_end(int descriptor)
{
    PipeEnd *end = pipe_find(descriptor);
    if (!end || !end->socket)
        errno = end || fcntl(descriptor, F_GETFD) >= 0 ? ENOTSOCK : EBADF;
    return end && end->socket ? end : NULL;
}

static ssize_t send_parts(Socket *socket, const Places *from, int flags)
{
    if (socket->datagrams && flags & MSG_MORE)
        report_not_modelled("MSG_MORE with datagrams");
    require_flags(flags, SEND_FLAGS | MSG_MORE);
    return socket_write(socket, from, flags);
}

static ssize_t receive_parts(Socket *socket, const Places *to, int flags)
{
    require_flags(flags, RECEIVE_FLAGS | (socket->datagrams ? MSG_TRUNC : 0));
    return socket_read(socket, to, flags);
}

ssize_t sennit_rt_send(int descriptor, const void *from, size_t size, int flags)
{
    if (!rt.self)
        return send(descriptor, from, size, flags);
    PipeEnd *end = find_end(descriptor);
    const struct iovec part = {(void *)(uintptr_t)from, size};
    if (!end)
        return -1;
    return end->net ? send_parts(end->net, &(Places){&part, 1}, flags) : send_packet(end, from, size, flags);
}

ssize_t sennit_rt_recv(int descriptor, void *to, size_t size, int flags)
{
    if (!rt.self)
        return recv(descriptor, to, size, flags);
    PipeEnd *end = find_end(descriptor);
    const struct iovec part = {to, size};
    if (!end)
        return -1;
    return end->net ? receive_parts(end->net, &(Places){&part, 1}, flags) : receive_packet(end, to, size, flags);
}

static ssize_t send_to(Socket *socket, const Places *from, int flags, const struct sockaddr *address,
                       socklen_t length)
{
    require_flags(flags, SEND_FLAGS);
    return datagram_send(socket, from, flags, address, length);
}

ssize_t sennit_rt_sendto(int descriptor, const void *from, size_t size, int flags, const struct sockaddr *address,
                         socklen_t length)
{
    if (!rt.self)
        return sendto(descriptor, from, size, flags, address, length);
    PipeEnd *end = address ? find_end(descriptor) : NULL;
    const struct iovec part = {(void *)(uintptr_t)from, size};
    if (end && end->net && end->net->datagrams)
        return send_to(end->net, &(Places){&part, 1}, flags, address, length);
    if (end && end->net && end->net->family == AF_UNIX)
        return fail(end->net->out ? EISCONN : EOPNOTSUPP);
    if (end && !end->net)
        report_not_modelled("sendto with an address on a socket pair");
    return sennit_rt_send(descriptor, from, size, flags); /* TCP ignores the address */
}

/* A stream tells no address: the length says so. */
static void tell_no_address(const Socket *socket, struct sockaddr *address, socklen_t *length)
{
    if (address && socket && socket->tcp)
        PLAIN_STORE(length, 0u);
    else if (address && socket)
        address_write(&socket->remote, address, length);
}

static ssize_t receive_from(Socket *socket, const Places *to, int flags, struct sockaddr *address, socklen_t *length)
{
    DatagramSource source;
    require_flags(flags, RECEIVE_FLAGS | MSG_TRUNC);
    ssize_t result = datagram_receive(socket, to, flags, &source);
    if (result >= 0)
        address_write(&source.address, address, length);
    return result;
}

ssize_t sennit_rt_recvfrom(int descriptor, void *to, size_t size, int flags, struct sockaddr *address,
                           socklen_t *length)
{
    if (!rt.self)
        return recvfrom(descriptor, to, size, flags, address, length);
    PipeEnd *end = address ? find_end(descriptor) : NULL;
    if (end && !end->net)
        report_not_modelled("recvfrom with an address on a socket pair");
    const struct iovec part = {to, size};
    if (end && end->net->datagrams)
        return receive_from(end->net, &(Places){&part, 1}, flags, address, length);
    ssize_t result = sennit_rt_recv(descriptor, to, size, flags);
    if (result >= 0 && end)
        tell_no_address(end->net, address, length);
    return result;
}

int sennit_rt_shutdown(int descriptor, int how)
{
    PipeEnd *end = pipe_find(descriptor);
    if (rt.self && !end)
        return fail(fcntl(descriptor, F_GETFD) >= 0 ? ENOTSOCK : EBADF);
    return end ? pipe_shutdown(end, how) : shutdown(descriptor, how);
}

/* ---- Messages ----------------------------------------------------------------------------- */

/* The parts of a message of the program; NULL: it fails. */
static Socket *use_message(int descriptor, const struct msghdr *message, Places *places)
{
    PipeEnd *end = find_end(descriptor);
    if (!end)
        return NULL;
    if (!end->net)
        report_not_modelled("sendmsg or recvmsg on a pair of packet sockets");
    plain_use(message, sizeof *message);
    if (message->msg_iovlen)
        plain_use(message->msg_iov, message->msg_iovlen * sizeof *message->msg_iov);
    *places = (Places){message->msg_iov, (int)message->msg_iovlen};
    return end->net;
}

ssize_t sennit_rt_sendmsg(int descriptor, const struct msghdr *message, int flags)
{
    Places from;
    if (!rt.self)
        return sendmsg(descriptor, message, flags);
    Socket *socket = use_message(descriptor, message, &from);
    if (!socket)
        return -1;
    if (message->msg_control && message->msg_controllen)
        report_not_modelled("sendmsg with control data");
    if (message->msg_name && socket->datagrams)
        return send_to(socket, &from, flags, message->msg_name, message->msg_namelen);
    if (message->msg_name && socket->family == AF_UNIX)
        return fail(socket->out ? EISCONN : EOPNOTSUPP);
    return send_parts(socket, &from, flags);
}

static ssize_t receive_message(Socket *socket, struct msghdr *message, const Places *to, int flags)
{
    DatagramSource source;
    require_flags(flags, RECEIVE_FLAGS | MSG_TRUNC);
    ssize_t result = datagram_receive(socket, to, flags, &source);
    if (result < 0)
        return -1;
    if (message->msg_name)
        address_write(&source.address, message->msg_name, &message->msg_namelen);
    PLAIN_STORE(&message->msg_controllen, (__typeof__(message->msg_controllen))0);
    PLAIN_STORE(&message->msg_flags, (source.truncated ? MSG_TRUNC : 0) | (flags & MSG_CMSG_CLOEXEC));
    return result;
}

ssize_t sennit_rt_recvmsg(int descriptor, struct msghdr *message, int flags)
{
    Places to;
    if (!rt.self)
        return recvmsg(descriptor, message, flags);
    Socket *socket = use_message(descriptor, message, &to);
    if (socket && socket->datagrams)
        return receive_message(socket, message, &to, flags);
    ssize_t result = socket ? receive_parts(socket, &to, flags) : -1;
    if (result < 0)
        return -1;
    tell_no_address(socket, message->msg_name, &message->msg_namelen);
    PLAIN_STORE(&message->msg_controllen, (__typeof__(message->msg_controllen))0);
    PLAIN_STORE(&message->msg_flags, flags & MSG_CMSG_CLOEXEC);
    return result;
}
