/* vtime.h - the virtual clock
 *
 * Time is a function of what happened before: a thread's clock starts at its creator's,
 * advances by its own sleeps and a little with each reading, and catches up with the clocks
 * of the threads it synchronises with. So it is the same in every schedule of a class, and
 * sleeping orders nothing.
 */
#ifndef RT_SYNC_VTIME_H
#define RT_SYNC_VTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The current thread's time in nanoseconds since the execution began; reading it takes a microsecond. */
int64_t vtime_now(void);
/* The current thread sleeps. A cancellation point. */
void vtime_sleep(int64_t nanoseconds);
/* Advances the clock to a deadline, if it has not passed. */
void vtime_reach(const struct timespec *deadline);

/* Time as the clock `clock` shows it; false if there is no such clock. */
bool vtime_read(clockid_t clock, struct timespec *time);
/* Nanoseconds until `deadline` on `clock`; 0 if it has passed. */
int64_t vtime_until(clockid_t clock, const struct timespec *deadline);

#endif
