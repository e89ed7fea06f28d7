/* timerfd.c - timers behind descriptors: an expiry is a step of its own
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=1 -> executions 2
 * litmus: -DPART=2 -> executions 4
 * litmus: -DPART=3 -> executions 1 bugs deadlock
 *
 * 0: a read waits for the expiry. 1: an attempt comes before or after it. 2: a timer is set again before or after it
 * expires; then it expires once. 3: a timer that is off never expires.
 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "litmus.h"

int main(void)
{
    const struct itimerspec second = {.it_value.tv_sec = 1}, off = {0};
    int timer = timerfd_create(CLOCK_MONOTONIC, PART == 1 ? TFD_NONBLOCK : 0);
    uint64_t times = 0;
    assert(timer >= 0 && timerfd_settime(timer, 0, PART == 3 ? &off : &second, NULL) == 0);
    if (PART == 2)
        assert(timerfd_settime(timer, 0, &second, NULL) == 0);
    ssize_t result = read(timer, &times, sizeof times);
    assert(PART == 1 && result < 0 ? errno == EAGAIN : result == sizeof times && times == 1);
    return 0;
}
