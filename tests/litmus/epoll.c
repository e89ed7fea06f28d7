/* epoll.c - epoll on descriptors between threads
 *
 * litmus: -> executions 1
 * litmus: -DTWO -> executions 4
 * litmus: -DADDED -> executions 2
 * litmus: -DONCE -> executions 4
 * litmus: -DTIMED -> executions 2
 * litmus: -DFORGOTTEN -> executions 1 bugs deadlock
 * litmus: -DROUND -> executions 2
 * litmus: -DROUND=3 -> executions 6
 *
 * A wait for one descriptor. Of two it reports the one that is ready, or both, in either order. A descriptor may be
 * added while another thread waits. Of two threads that wait for a descriptor that is reported once, one is told;
 * the other reads the list before or after that. Waits for one event go round among descriptors that stay ready: the
 * first time in any order, then in the same.
 */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "litmus.h"

static int epoll, counters[3];

static void watch(int n, unsigned events)
{
    struct epoll_event event = {.events = events, .data.u32 = (unsigned)n};
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, counters[n], &event) == 0);
}

static void *writer(void *argument)
{
    assert(eventfd_write(counters[number_of(argument)], 1) == 0);
    return NULL;
}

static void *adder(void *unused)
{
    watch(0, EPOLLIN);
    return unused;
}

static void *waiter(void *unused)
{
    struct epoll_event found[2];
    int count = epoll_wait(epoll, found, 2, 10);
    assert(count == 0 || (count == 1 && found[0].events == EPOLLIN));
    return unused;
}

int main(void)
{
    struct epoll_event found[2];
    epoll = epoll_create1(0);
    counters[0] = eventfd(0, 0);
    counters[1] = eventfd(0, 0);
#if defined TWO
    watch(0, EPOLLIN);
    watch(1, EPOLLIN);
    start(writer, 0);
    start(writer, 1);
    int count = epoll_wait(epoll, found, 2, -1);
    assert(count == 1 || (count == 2 && found[0].data.u32 + found[1].data.u32 == 1));
#elif defined ADDED
    counters[0] = eventfd(1, 0);
    start(adder, 0);
    assert(epoll_wait(epoll, found, 2, -1) == 1);
#elif defined ONCE
    counters[0] = eventfd(1, 0);
    watch(0, EPOLLIN | EPOLLONESHOT);
    start(waiter, 0);
    start(waiter, 0);
#elif defined TIMED
    watch(0, EPOLLIN);
    start(writer, 0);
    waiter(NULL);
#elif defined ROUND
    enum { COUNT = ROUND + 1 > 3 ? 3 : 2 };
    unsigned order[3 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        counters[i] = eventfd(1, 0);
        watch(i, EPOLLIN);
    }
    for (int i = 0; i < 3 * COUNT; i++) {
        assert(epoll_wait(epoll, found, 1, 0) == 1);
        order[i] = found[0].data.u32;
        for (int k = 1; k < COUNT && k <= i; k++)
            assert(order[i - k] != order[i]);
    }
#elif defined FORGOTTEN
    watch(0, EPOLLIN);
    epoll_wait(epoll, found, 2, -1);
#else
    watch(0, EPOLLIN);
    start(writer, 0);
    assert(epoll_wait(epoll, found, 2, -1) == 1 && found[0].data.u32 == 0 && found[0].events == EPOLLIN);
#endif
    join_all();
    (void)waiter, (void)adder, (void)writer, (void)found;
    return 0;
}
