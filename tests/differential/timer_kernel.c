/* timer_kernel.c - timers behind descriptors against the kernel's, see kernel.h */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "kernel.h"
#include "rt/libc/api_libc.h"

const unsigned kernel_retries = 2;

enum { MOST_CALLS = 10, TIMERS = 2, KINDS = 13 };

static const char *const names[KINDS] = {"set", "soon", "stop", "left", "read", "short", "write",
                                         "poll", "wait", "close", "flags", "wrong", "epoll"};

typedef struct Call {
    unsigned kind, which, flag;
} Call;

static Call calls[MOST_CALLS];
static unsigned count;
static int timers[TIMERS];

void kernel_generate(void)
{
    count = 2 + kernel_draw(MOST_CALLS - 1);
    for (unsigned i = 0; i < count; i++)
        calls[i] = (Call){kernel_draw(KINDS), kernel_draw(TIMERS), kernel_draw(2)};
}

void kernel_print(void)
{
    for (unsigned i = 0; i < count; i++)
        printf("%s %s %u %u", i ? ";" : "", names[calls[i].kind], calls[i].which, calls[i].flag);
}

/* Only whether time is left: how much, the clocks say. */
static void set(int timer, struct itimerspec value, bool asks)
{
    struct itimerspec old = {0};
    see_result(sennit_rt_timerfd_settime(timer, 0, &value, asks ? &old : NULL));
    see(old.it_value.tv_sec || old.it_value.tv_nsec);
    see(old.it_interval.tv_sec);
}

static void poll_timer(int timer, int timeout)
{
    struct pollfd file = {.fd = timer, .events = POLLIN | POLLOUT};
    if (timer < 0)
        return;
    see_result(sennit_rt_poll(&file, 1, timeout));
    see(file.revents);
}

static void see_left(int timer)
{
    struct itimerspec left = {0};
    see_result(sennit_rt_timerfd_gettime(timer, &left));
    see(left.it_value.tv_sec || left.it_value.tv_nsec);
    see(left.it_interval.tv_sec);
}

static void watch(int timer)
{
    if (timer < 0)
        return;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 7}, found = {0};
    int epoll = sennit_rt_epoll_create1(0);
    see_result(sennit_rt_epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event));
    see_result(sennit_rt_epoll_wait(epoll, &found, 1, 0));
    see(found.events);
    see(found.data.u32);
    sennit_rt_close(epoll);
}

static void make(const Call *call)
{
    int timer = timers[call->which];
    uint64_t value = 0;
    switch (call->kind) {
    case 0: set(timer, (struct itimerspec){.it_value.tv_sec = 1000}, true); break;
    case 1: /* it expires before it is looked at */
        set(timer, (struct itimerspec){.it_value.tv_nsec = 1}, call->flag);
        poll_timer(timer, 1000);
        break;
    case 2: set(timer, (struct itimerspec){0}, true); break;
    case 3: see_left(timer); break;
    case 4:
        see_result(sennit_rt_read(timer, &value, sizeof value));
        see((long)value);
        break;
    case 5: see_result(sennit_rt_read(timer, &value, 4)); break;
    case 6: see_result(sennit_rt_write(timer, &value, sizeof value)); break;
    case 7: poll_timer(timer, 0); break;
    case 8: see_result(sennit_rt_fcntl(timer, F_GETFL) & O_NONBLOCK); break;
    case 9:
        see_result(sennit_rt_close(timer));
        timers[call->which] = -1; /* something else may get the number */
        break;
    case 10: see_result(sennit_rt_fcntl(timer, F_SETFL, O_NONBLOCK)); break;
    case 11: set(timer, (struct itimerspec){.it_value.tv_nsec = call->flag ? -1 : 1000000000}, false); break;
    default: watch(timer); break;
    }
}

void kernel_make_calls(void)
{
    for (int i = 0; i < TIMERS; i++)
        timers[i] = sennit_rt_timerfd_create(i ? CLOCK_REALTIME : CLOCK_MONOTONIC, TFD_NONBLOCK);
    see_result(sennit_rt_timerfd_create(99, 0));
    see_result(sennit_rt_timerfd_create(CLOCK_MONOTONIC, 1 << 20));
    for (unsigned i = 0; i < count; i++)
        make(&calls[i]);
    for (int i = 0; i < TIMERS; i++)
        sennit_rt_close(timers[i]);
}
