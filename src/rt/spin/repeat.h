/* repeat.h - loops whose iterations repeat the state of their thread, turned into blocking waits
 *
 * For the loops that the instrumenter leaves as they are. On their back edges the thread's state is known: the frame of
 * the function, its registers, errno. If it is what it was on an earlier back edge, and the thread has changed nothing
 * in between, the iterations since then will repeat until a location that they have read changes; so the thread waits
 * for that. Why nothing is lost: SPIN-9 of docs/design/instrumentation.md.
 *
 * What is decided here depends on the thread's own steps only, so it is the same in equivalent schedules.
 */
#ifndef RT_SPIN_REPEAT_H
#define RT_SPIN_REPEAT_H

#include "rt/kernel/runtime.h"

/* Records what the thread's newest event read; one that changed something starts the iterations anew. */
void repeat_absorb(Thread *self);
/* The thread reads plain memory, or is about to write it. */
void repeat_read(Thread *self, uint64_t address, uint64_t size);
void repeat_write(Thread *self, uint64_t address, uint64_t size);

/* The thread waits here; has plain memory that it read changed since, by a data race? */
bool repeat_misses_race(const Thread *thread);
/* Does the thread wait here? */
bool repeat_waits(const Thread *thread);

/* The execution is over: copies of the program's values are erased, which are no references to its memory. */
void repeat_forget(const Thread *thread);

/* sennit_rt_spin_repeat, with the callee-saved registers, below which the stack is not used. */
void repeat_iteration(const SennitSite *site, const uint64_t *registers);

#endif
