/* vtime.h - the virtual clock
 *
 * Time is a function of what happened before: a thread's clock starts at its creator's, advances by its own sleeps,
 * its time-outs and a little with each reading, and with each step catches up with the steps that this one depends
 * on. So a step that happens after another never shows an earlier time, whatever orders them (a lock, an atomic, a
 * pipe, a message); the clock is the same in every schedule of a class; and sleeping orders nothing. (RT-16)
 */
#ifndef RT_SYNC_VTIME_H
#define RT_SYNC_VTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "core/event.h"

/* An execution begins: the clock is unused. */
void vtime_reset(void);
/* The running thread creates an agent (rt.time_used: otherwise there is nothing to note). */
void vtime_inherit(AgentId agent);

/* The current thread's time in nanoseconds since the execution began; reading it takes a microsecond. */
int64_t vtime_now(void);
/* The same, without taking time. */
int64_t vtime_peek(void);
/* The current thread sleeps. A cancellation point. True if a signal woke it, at once. */
bool vtime_sleep(int64_t nanoseconds);
/* Time passes for the current thread. */
void vtime_pass(int64_t nanoseconds);
/* Advances the clock to a deadline, if it has not passed. */
void vtime_reach(const struct timespec *deadline);

/* Time as the clock `clock` shows it; false if there is no such clock. */
bool vtime_read(clockid_t clock, struct timespec *time);
/* Nanoseconds until `deadline` on `clock`; 0 if it has passed. */
int64_t vtime_until(clockid_t clock, const struct timespec *deadline);

#endif
