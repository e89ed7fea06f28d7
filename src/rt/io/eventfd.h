/* eventfd.h - counters behind descriptors (eventfd)
 *
 * Writing adds to the counter, so writes commute. Its value: the number, and marks as in pipe.h.
 */
#ifndef RT_IO_EVENTFD_H
#define RT_IO_EVENTFD_H

#include "rt/io/pipe.h"

#define EVENT_COUNT (((int64_t)1 << 48) - 1)
#define EVENT_CLOSED PIPE_MARK(0)
#define EVENT_NO_WAIT PIPE_MARK(1)

typedef struct CounterTimer CounterTimer;

struct EventCounter {
    uint64_t resource;
    int64_t value;
    CounterTimer *timer; /* it counts the expiries of a timer (timerfd.c), and is not written; or NULL */
    bool semaphore;   /* reads take one at a time */
};

/* As read, write, close, shutdown and fcntl on the descriptor. */
ssize_t event_read(EventCounter *counter, void *to, size_t size);
ssize_t event_write(EventCounter *counter, const void *from, size_t size);
int event_close(EventCounter *counter);
int event_shutdown(EventCounter *counter);
int event_set_no_wait(EventCounter *counter, bool no_wait);
int event_get_no_wait(EventCounter *counter);

#endif
