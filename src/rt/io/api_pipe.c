/* api_pipe.c - other calls on descriptors of pipes between threads: translated, or rejected,
 * since the system does not know such descriptors */
#include <errno.h>

#include "rt/detect/bug.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/libc/api_libc.h"

/* ---- Sockets ---------------------------------------------------------------------------- */

static PipeEnd *socket_of(PipeEnd *end)
{
    if (!end->socket)
        errno = ENOTSOCK;
    return end->socket ? end : NULL;
}

static void require_flags(int flags, int known)
{
    if (flags & ~known)
        report_not_modelled("a flag of send or recv other than MSG_NOSIGNAL");
}

ssize_t sennit_rt_send(int descriptor, const void *from, size_t size, int flags)
{
    PipeEnd *end = pipe_find(descriptor);
    if (!end)
        return send(descriptor, from, size, flags);
    require_flags(flags, MSG_NOSIGNAL);
    return socket_of(end) ? pipe_write(end, from, size, flags & MSG_NOSIGNAL ? PIPE_SILENT : PIPE_SIGNALS) : -1;
}

ssize_t sennit_rt_recv(int descriptor, void *to, size_t size, int flags)
{
    PipeEnd *end = pipe_find(descriptor);
    if (!end)
        return recv(descriptor, to, size, flags);
    require_flags(flags, MSG_NOSIGNAL);
    return socket_of(end) ? pipe_read(end, to, size) : -1;
}

ssize_t sennit_rt_sendto(int descriptor, const void *from, size_t size, int flags, const struct sockaddr *address,
                         socklen_t length)
{
    if (!pipe_find(descriptor))
        return sendto(descriptor, from, size, flags, address, length);
    if (address)
        report_not_modelled("sendto with an address on a socket pair");
    return sennit_rt_send(descriptor, from, size, flags);
}

ssize_t sennit_rt_recvfrom(int descriptor, void *to, size_t size, int flags, struct sockaddr *address,
                           socklen_t *length)
{
    if (!pipe_find(descriptor))
        return recvfrom(descriptor, to, size, flags, address, length);
    if (address)
        report_not_modelled("recvfrom with an address on a socket pair");
    return sennit_rt_recv(descriptor, to, size, flags);
}

int sennit_rt_shutdown(int descriptor, int how)
{
    PipeEnd *end = pipe_find(descriptor);
    return end ? pipe_shutdown(end, how) : shutdown(descriptor, how);
}

/* ---- Flags --------------------------------------------------------------------------------- */

static int get_flags(PipeEnd *end)
{
    int mode = end->counter ? O_RDWR : !end->out ? O_RDONLY : !end->in ? O_WRONLY : O_RDWR;
    return mode | (pipe_get_no_wait(end) ? O_NONBLOCK : 0);
}

static int control(PipeEnd *end, int command, long argument)
{
    if (end->epoll && (command == F_GETFL || command == F_SETFL))
        report_not_modelled("fcntl on an epoll");
    switch (command) {
    case F_GETFL: return get_flags(end);
    case F_SETFL: return pipe_set_no_wait(end, argument & O_NONBLOCK);
    case F_GETFD:
    case F_SETFD: return 0; /* exec is not modelled */
    default: report_not_modelled("a command of fcntl other than F_GETFL and F_SETFL on a pipe");
    }
}

/* Locks and signals of the system's descriptors, through which threads would influence each other. */
static void refuse_control(int command)
{
    switch (command) {
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW: report_not_modelled("fcntl with locks of files");
    case F_SETLEASE:
    case F_NOTIFY:
    case F_SETSIG:
    case F_SETOWN: report_not_modelled("fcntl with signals");
    default: break;
    }
}

#define CONTROL(function)                                                                           \
    int sennit_rt_##function(int descriptor, int command, ...)                                      \
    {                                                                                               \
        va_list args;                                                                               \
        va_start(args, command);                                                                    \
        long argument = va_arg(args, long);                                                         \
        va_end(args);                                                                               \
        PipeEnd *end = pipe_find(descriptor);                                                       \
        if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)                                       \
            return sennit_rt_dup(descriptor);                                                       \
        if (rt.self && !end)                                                                        \
            refuse_control(command);                                                                \
        return end ? control(end, command, argument) : function(descriptor, command, argument);     \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

/* ---- What is not modelled ---------------------------------------------------------------------- */

#define REFUSE_ON_PIPE(what, descriptor, call)         \
    do {                                               \
        if (pipe_find(descriptor))                     \
            report_not_modelled(what " on a pipe");    \
        return call;                                   \
    } while (0)

ssize_t sennit_rt_sendmsg(int descriptor, const struct msghdr *message, int flags)
{
    REFUSE_ON_PIPE("sendmsg", descriptor, sendmsg(descriptor, message, flags));
}

ssize_t sennit_rt_recvmsg(int descriptor, struct msghdr *message, int flags)
{
    REFUSE_ON_PIPE("recvmsg", descriptor, recvmsg(descriptor, message, flags));
}

int sennit_rt_ioctl(int descriptor, unsigned long request, ...)
{
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    REFUSE_ON_PIPE("ioctl", descriptor, ioctl(descriptor, request, argument));
}

int sennit_rt_dup(int descriptor)
{
    OpenFile *open = open_file_find(descriptor);
    if (open && descriptor > 2)
        return open_file_copy(open, -1);
    REFUSE_ON_PIPE("dup", descriptor, dup(descriptor));
}

/* Standard streams belong to Sennit, too. */
static int copy_to(int descriptor, int as)
{
    OpenFile *open = open_file_find(descriptor);
    if (as <= 2)
        report_not_modelled("dup2 to a standard stream");
    if (!open || descriptor <= 2)
        return dup2(descriptor, as);
    if (descriptor == as)
        return as;
    if (open_file_find(as))
        open_file_close(open_file_find(as));
    return open_file_copy(open, as);
}

int sennit_rt_dup2(int descriptor, int as)
{
    REFUSE_ON_PIPE("dup2", pipe_find(as) ? as : descriptor, rt.self ? copy_to(descriptor, as) : dup2(descriptor, as));
}

int sennit_rt_dup3(int descriptor, int as, int flags)
{
    REFUSE_ON_PIPE("dup3", pipe_find(as) ? as : descriptor,
                   rt.self ? copy_to(descriptor, as) : dup3(descriptor, as, flags));
}
