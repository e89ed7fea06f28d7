/* eventfd.c - counters behind descriptors
 *
 * litmus: -> executions 1
 * litmus: -DTWO -> executions 3
 * litmus: -DNO_WAIT -> executions 2
 * litmus: -DSEMAPHORE -> executions 2
 * litmus: -DPOLL -> executions 1
 * litmus: -DFORGOTTEN -> executions 1 bugs deadlock
 *
 * A read waits for the write. Two writes commute, and the read takes one of them, the other, or both. A read that does
 * not wait comes before or after the write. A semaphore gives one at a time, to either thread first.
 */
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "litmus.h"

static int counter;

static void *writer(void *unused)
{
    uint64_t one = 1;
    assert(write(counter, &one, sizeof one) == sizeof one);
    return unused;
}

static void *reader(void *unused)
{
    eventfd_t value = 0;
    assert(eventfd_read(counter, &value) == 0 && value == 1);
    return unused;
}

int main(void)
{
    uint64_t value = 0;
#if defined NO_WAIT
    counter = eventfd(0, EFD_NONBLOCK);
    start(writer, 0);
    ssize_t size = read(counter, &value, sizeof value);
    assert(size == sizeof value || errno == EAGAIN);
#elif defined SEMAPHORE
    counter = eventfd(2, EFD_SEMAPHORE);
    start(reader, 0);
    start(reader, 0);
#elif defined POLL
    counter = eventfd(0, 0);
    start(writer, 0);
    struct pollfd file = {.fd = counter, .events = POLLIN};
    assert(poll(&file, 1, -1) == 1 && file.revents == POLLIN);
    reader(NULL);
#elif defined FORGOTTEN
    counter = eventfd(0, 0);
    start(reader, 0);
#elif defined TWO
    counter = eventfd(0, 0);
    start(writer, 0);
    start(writer, 0);
    assert(read(counter, &value, sizeof value) == sizeof value && (value == 1 || value == 2));
#else
    counter = eventfd(0, 0);
    start(writer, 0);
    assert(read(counter, &value, sizeof value) == sizeof value && value == 1);
#endif
    join_all();
    (void)reader, (void)writer;
    return 0;
}
