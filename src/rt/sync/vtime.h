/* vtime.h - the virtual clock
 *
 * Time is a function of what happened before: a thread's clock advances by its own sleeps
 * and by a little at each look at it, starts at its creator's, and catches up with the
 * clock of whoever it synchronises with. So it is the same in every schedule of a class,
 * and sleeping orders nothing.
 */
#ifndef RT_SYNC_VTIME_H
#define RT_SYNC_VTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The current thread's time since its clock began; looking takes a microsecond. */
int64_t vtime_now(void);
/* The current thread sleeps. A cancellation point. */
void vtime_sleep(int64_t nanoseconds);
/* The clock goes forward to a deadline, if it is not there yet. */
void vtime_reach(const struct timespec *deadline);

/* Time as the clock `clock` shows it; false if there is no such clock. */
bool vtime_read(clockid_t clock, struct timespec *time);
/* How long until `deadline` on `clock`; 0 if it is over. */
int64_t vtime_until(clockid_t clock, const struct timespec *deadline);

#endif
