/* descriptor_spin.c - loops that poll a descriptor without blocking
 *
 * litmus: -DSHAPE=1 -> executions 3
 * litmus: -DSHAPE=2 -> executions 3
 * litmus: -DSHAPE=3 -> executions 3
 * litmus: -DSHAPE=4 -> executions 3
 * litmus: -DSHAPE=5 -> executions 3
 * litmus: -DSHAPE=6 -> executions 3
 * litmus: -DSHAPE=7 -> executions 3
 * litmus: -DSHAPE=8 -> executions 3
 * litmus: -DSHAPE=9 -> executions 3
 * litmus: -DSHAPE=10 -> executions 3
 * litmus: -O2 -DSHAPE=1 -> executions 3
 * litmus: -O2 -DSHAPE=5 -> executions 3
 * litmus: -DSHAPE=1 -DNEVER -> executions 1 bugs livelock
 * litmus: -DSHAPE=2 -DNEVER -> executions 1 bugs livelock
 * litmus: -DSHAPE=4 -DNEVER -> executions 1 bugs livelock
 * litmus: -DSHAPE=6 -DNEVER -> executions 1 bugs livelock
 * litmus: -DSHAPE=8 -DNEVER -> executions 1 bugs livelock
 * litmus: -DSHAPE=9 -DNEVER -> executions 1 bugs livelock
 *
 * A byte is written before the first iteration, after it, or later: then the loop waits. 1 reads from a socket, 2 from
 * a pipe, 3 from an eventfd, 4 polls, 5 selects, 6 asks an epoll, 7 asks how many bytes there are, 8 accepts a
 * connection, 9 writes to a socket until it has room again, 10 looks at a byte without taking it, and sets errno itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "litmus.h"

static int ends[2], file, other;
static char byte;

#if SHAPE == 8
static const struct sockaddr_un name = {AF_UNIX, "\0name"};
#elif SHAPE == 9
static char much[106496];
#endif

static void open_files(void)
{
#if SHAPE == 2
    assert(pipe2(ends, O_NONBLOCK) == 0);
#elif SHAPE == 3
    file = eventfd(0, EFD_NONBLOCK);
#else
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
#endif
#if SHAPE == 6
    struct epoll_event event = {.events = EPOLLIN};
    file = epoll_create1(0);
    assert(epoll_ctl(file, EPOLL_CTL_ADD, ends[0], &event) == 0);
#elif SHAPE == 8
    file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    other = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(file, (const struct sockaddr *)&name, sizeof name) == 0 && listen(file, 1) == 0);
#elif SHAPE == 9
    for (int i = 0; i < 2; i++)
        assert(write(ends[0], much, sizeof much) == sizeof much);
#endif
}

static int is_there(void)
{
#if SHAPE == 1
    return recv(ends[0], &byte, 1, MSG_DONTWAIT) == 1;
#elif SHAPE == 2
    return read(ends[0], &byte, 1) == 1;
#elif SHAPE == 3
    eventfd_t count;
    return eventfd_read(file, &count) == 0;
#elif SHAPE == 4
    struct pollfd files = {.fd = ends[0], .events = POLLIN};
    return poll(&files, 1, 0) == 1;
#elif SHAPE == 5
    fd_set set;
    struct timeval none = {0};
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    return select(ends[0] + 1, &set, NULL, NULL, &none) == 1;
#elif SHAPE == 6
    struct epoll_event event;
    return epoll_wait(file, &event, 1, 0) == 1;
#elif SHAPE == 7
    int count;
    assert(ioctl(ends[0], FIONREAD, &count) == 0);
    return count;
#elif SHAPE == 8
    return accept(file, NULL, NULL) >= 0;
#elif SHAPE == 9
    return send(ends[0], "x", 1, MSG_DONTWAIT) == 1;
#elif SHAPE == 10
    errno = 0;
    return recv(ends[0], &byte, 1, MSG_DONTWAIT | MSG_PEEK) == 1;
#endif
}

static void *wait_for_it(void *argument)
{
    while (!is_there())
        ;
    return argument;
}

static void *fill(void *argument)
{
#ifndef NEVER
#if SHAPE == 3
    assert(eventfd_write(file, 1) == 0);
#elif SHAPE == 8
    assert(connect(other, (const struct sockaddr *)&name, sizeof name) == 0);
#elif SHAPE == 9
    assert(read(ends[1], &byte, 1) == 1);
#else
    assert(write(ends[1], "x", 1) == 1);
#endif
#endif
    return argument;
}

int main(void)
{
    open_files();
    start(wait_for_it, 0);
    start(fill, 1);
    join_all();
    return 0;
}
