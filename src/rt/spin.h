/* spin.h - loops that only look: they wait instead of turning
 *
 * What a thread reads is remembered while it is in a loop that the instrumenter
 * found to be without effect. A round that changed nothing waits until one of the
 * values it read is another; if that never happens, the thread is in a livelock.
 */
#ifndef RT_SPIN_H
#define RT_SPIN_H

#include "rt/rt_internal.h"

/* Adds what the thread's newest event read; an event that wrote ends the remembering. */
void spin_absorb(Thread *self);
/* Adds a plain read. */
void spin_read(Thread *self, uint64_t address, uint64_t size);
/* The thread wrote plain memory. */
void spin_write(Thread *self);

#endif
