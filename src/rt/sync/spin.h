/* spin.h - loops that only look: they wait instead of turning
 *
 * What a thread reads is remembered while it is in a loop that the instrumenter
 * found to be without effect. A round that changed nothing waits until one of the
 * values it read is another; if that never happens, the thread is in a livelock.
 *
 * A round may take locks and give them back. What it reads under a lock is plain memory, and
 * nobody writes that without the lock (else there is a data race); so it waits until somebody
 * has given back the lock who did more than look: until the lock's turns are others. Threads
 * that look in turns do not wake each other. The turns are counted only in programs with such
 * loops that never ask whether a lock is free: whoever does could tell rounds that are left
 * out. Both are known when the program is linked.
 */
#ifndef RT_SYNC_SPIN_H
#define RT_SYNC_SPIN_H

#include "rt/kernel/runtime.h"

/* Adds what the thread's newest event read; an event that wrote ends the remembering. */
void spin_absorb(Thread *self);
/* Adds a plain read. */
void spin_read(Thread *self, uint64_t address, uint64_t size);
/* The thread wrote plain memory. */
void spin_write(Thread *self);

/* The thread waits; has plain memory changed that it has read, behind its back? */
bool spin_misses_race(const Thread *thread);

/* Are turns counted? */
extern bool spin_polls_locks;
/* The step that is announced gives back a lock; unless its thread has only looked, that is a turn. */
void spin_announce_turn(uint64_t lock);
/* The step being executed has given it back. */
void spin_count_turn(uint64_t lock);
int64_t spin_turns(uint64_t resource);
/* An execution begins. */
void spin_reset(void);

#endif
