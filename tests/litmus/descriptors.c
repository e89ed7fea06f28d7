/* descriptors.c - numbers of descriptors
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=1 -> executions 1
 * litmus: -DPART=2 -> executions 1
 * litmus: -DPART=3 -> executions 0 verdict any exit 2
 * litmus: -DPART=4 -> executions 2
 *
 * 0: the lowest number that is free. 1: threads that open and close at the same time. 2: a number that another thread
 * has used, before, is not given again. 3: one is given again while another thread uses it: rejected. 4: another
 * thread may close it.
 */
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "litmus.h"

static int file;

static void *open_some(void *unused)
{
    int first = eventfd(0, 0), second = eventfd(0, 0);
    assert(first >= 3 && second == first + 1 && close(first) == 0 && eventfd(0, 0) == first);
    return unused;
}

static void *use(void *unused)
{
    eventfd_write(file, 1);
    return unused;
}

static void *leave(void *unused)
{
    assert(close(file) == 0);
    return unused;
}

int main(void)
{
#if PART == 0
    int pair[2];
    assert(eventfd(0, 0) == 3 && socket(AF_INET, SOCK_STREAM, 0) == 4 && pipe(pair) == 0);
    assert(pair[0] == 5 && pair[1] == 6 && close(4) == 0 && close(3) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pair[0] == 3 && pair[1] == 4);
    assert(close(5) == 0 && close(5) == -1 && errno == EBADF && eventfd(7, 0) == 5);
    eventfd_t value;
    assert(eventfd_read(5, &value) == 0 && value == 7);
#elif PART == 1
    start(open_some, 0);
    start(open_some, 1);
    open_some(NULL);
    join_all();
#elif PART == 2
    file = eventfd(0, 0);
    start(use, 0);
    join_all();
    assert(close(file) == 0 && eventfd(0, 0) != file);
#elif PART == 3
    file = eventfd(0, 0);
    start(use, 0);
    close(file);
    eventfd(0, 0);
    join_all();
#else
    file = eventfd(0, 0);
    start(leave, 0);
    eventfd_t value = 1;
    assert(write(file, &value, sizeof value) == sizeof value || errno == EBADF);
    join_all();
    assert(write(file, &value, sizeof value) == -1 && errno == EBADF);
#endif
    return 0;
}
