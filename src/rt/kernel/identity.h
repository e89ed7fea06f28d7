/* identity.h - what a thread of the program takes for its own: thread pointer, number, place of errno
 *
 * Threads are coroutines of one thread of the system, where all of these would be the same. They are functions of the
 * seat instead (seat.h), hence the same in every schedule and process.
 *
 * The value of errno is the real one, which libraries set. A thread that uses the address of its errno (as a name, or
 * to pass it on) gets a place of its own: before a read there it gets the real value; before a write the real value
 * becomes a mark, so that a later assignment by a library shows as such. Whoever needs the real value settles it.
 */
#ifndef RT_KERNEL_IDENTITY_H
#define RT_KERNEL_IDENTITY_H

#include "rt/kernel/image.h"
#include "rt/kernel/runtime.h"

enum { IDENTITY_PROCESS = 0x3f0000 }; /* what the program takes for its process number, and that of its first thread */

/* The number of the running thread; outside executions, of the first. */
int identity_number(void);
/* The place of its errno; its value is there until a library sets another. */
int *identity_error(void);
/* The running thread is about to access the place of some thread's errno. */
void identity_access(uint64_t address, bool writes);
/* Before a library reads errno. */
void identity_settle(void);

/* For an image of a process: what the thread with this seat has. */
void identity_save(uint32_t seat, RtImage *image);

static inline bool identity_is_place(uint64_t address) { return address - IDENTITY_BASE < IDENTITY_SPAN; }

#endif
