/* api_pipe.c - other calls on descriptors of pipes between threads: translated, or rejected,
 * since the system does not know such descriptors */
#include <errno.h>

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/io/api_file.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/libc/api_libc.h"
#include "rt/net/socket.h"

/* ---- Flags --------------------------------------------------------------------------------- */

static int get_flags(PipeEnd *end)
{
    int mode = end->counter || end->net ? O_RDWR : !end->out ? O_RDONLY : !end->in ? O_WRONLY : O_RDWR;
    int no_wait = pipe_get_no_wait(end);
    return no_wait < 0 ? -1 : mode | (no_wait ? O_NONBLOCK : 0);
}

static int control(PipeEnd *end, int command, long argument)
{
    if (end->epoll && (command == F_GETFL || command == F_SETFL))
        report_not_modelled("fcntl on an epoll");
    switch (command) {
    case F_GETFL: return get_flags(end);
    case F_SETFL: return pipe_set_no_wait(end, argument & O_NONBLOCK);
    case F_GETFD:
    case F_SETFD: return end->epoll || get_flags(end) >= 0 ? 0 : -1; /* exec is not modelled */
    default: report_not_modelled("a command of fcntl other than F_GETFL and F_SETFL on a pipe");
    }
}

/* Locks and signals of the system's descriptors, through which threads would influence each other. */
static void refuse_control(int command)
{
    switch (command) {
    case F_OFD_GETLK:
    case F_OFD_SETLK:
    case F_OFD_SETLKW: report_not_modelled("fcntl with locks of open files");
    case F_SETLEASE:
    case F_NOTIFY:
    case F_SETSIG:
    case F_SETOWN: report_not_modelled("fcntl with signals");
    default: break;
    }
}

static int control_file(int descriptor, int command, long argument)
{
    OpenFile *open = open_file_find(descriptor);
    refuse_control(command);
    return open ? open_file_control(open, command, argument) : fcntl(descriptor, command, argument);
}

int sennit_rt_isatty(int descriptor)
{
    PipeEnd *end = pipe_find(descriptor);
    OpenFile *open = open_file_find(descriptor);
    if (end && (end->epoll || get_flags(end) >= 0))
        errno = ENOTTY;
    return end ? 0 : open ? open_file_is_terminal(open) : isatty(descriptor);
}

static struct flock *lock_of(long argument) { return (struct flock *)(uintptr_t)argument; }

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
        if (rt.self && !end && (command == F_GETLK || command == F_SETLK || command == F_SETLKW))   \
            return file_lock_control(descriptor, command, lock_of(argument));                     \
        return end       ? control(end, command, argument)                                          \
               : rt.self ? control_file(descriptor, command, argument)                              \
                         : function(descriptor, command, argument);                                 \
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

/* How many bytes wait, or O_NONBLOCK. */
static int control_device(PipeEnd *end, unsigned long request, int *argument)
{
    if (request == FIONBIO && !end->epoll) {
        plain_use(argument, sizeof *argument);
        return pipe_set_no_wait(end, *argument);
    }
    if (request != FIONREAD || !end->net)
        report_not_modelled("a request of ioctl other than FIONBIO and FIONREAD, or on a pipe");
    PLAIN_STORE(argument, socket_unread(end->net));
    return 0;
}

int sennit_rt_ioctl(int descriptor, unsigned long request, ...)
{
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    PipeEnd *end = pipe_find_polled(descriptor);
    OpenFile *open = open_file_find(descriptor);
    if (end)
        return control_device(end, request, argument);
    if (!open)
        return ioctl(descriptor, request, argument);
    int flags = open_file_control(open, F_GETFL, 0);
    if (flags < 0 || request != FIONBIO)
        return ioctl(descriptor, request, argument);
    plain_use(argument, sizeof(int));
    return open_file_control(open, F_SETFL, *(int *)argument ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

int sennit_rt_dup(int descriptor)
{
    OpenFile *open = open_file_find(descriptor);
    if (open)
        return open_file_copy(open, -1);
    REFUSE_ON_PIPE("dup", descriptor, dup(descriptor));
}

/* Standard streams belong to Sennit, too. */
static int copy_to(int descriptor, int as)
{
    OpenFile *open = open_file_find(descriptor);
    if (as <= 2)
        report_not_modelled("dup2 to a standard stream");
    if (!open)
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
