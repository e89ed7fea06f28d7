/* spin.h - side-effect-free spin loops, turned into blocking waits
 *
 * While a thread is in a loop that the instrumenter found to be free of side effects, its reads
 * are recorded. At the end of an iteration that changed nothing the thread waits until one of the
 * locations it read has another value; if that never happens, it is in a livelock.
 *
 * An iteration may acquire locks and release them (a polling loop). What it reads under a lock is
 * plain memory, which is only written under the lock (otherwise there is a data race); so it waits
 * until another thread has released the lock after more than such an iteration: until the lock's
 * number of releases changes. Polling threads do not wake each other. Releases are counted
 * only in programs with polling loops that never ask whether a lock is free (trylock), since such
 * a program could observe the iterations that are left out. Both are known when the program is
 * linked.
 */
#ifndef RT_SPIN_SPIN_H
#define RT_SPIN_SPIN_H

#include "rt/kernel/image.h"
#include "rt/kernel/runtime.h"

/* Records what the thread's newest event read; an event that changed something discards the record. */
void spin_absorb(Thread *self);
/* Records a plain read. */
void spin_read(Thread *self, uint64_t address, uint64_t size);
/* The thread wrote plain memory: discards the record. */
void spin_write(Thread *self);

/* The thread waits; has plain memory that it read changed since, by a data race? */
bool spin_misses_race(const Thread *thread);

/* Are releases counted? */
extern bool spin_polls_locks;
/* The announced step releases a lock: adds an access to RES_RELEASES, unless the thread is in a polling
 * iteration that changed nothing. */
void spin_announce_release(uint64_t lock);
/* The step being executed has released it. */
void spin_count_release(uint64_t lock);
/* The value of a RES_RELEASES. */
int64_t spin_releases(uint64_t resource);
/* An execution begins: no releases yet. */
void spin_reset(void);
/* For an image of the execution. */
void spin_save(RtImage *image);

#endif
