/* changes.h - what a thread has changed so far, as a sum
 *
 * Each change of a location adds the difference of its values, times a number that belongs to the location. So what
 * several threads have changed adds up in whatever order they did it, and what was taken back adds nothing. What is
 * not known in detail adds a number that never comes again. See SPIN-17 of docs/design/instrumentation.md.
 */
#ifndef RT_SPIN_CHANGES_H
#define RT_SPIN_CHANGES_H

#include "rt/kernel/runtime.h"

typedef unsigned __int128 ChangeSum;

/* What a thread had done at some time. */
typedef struct ChangeState {
    uint64_t local;    /* stands for its own state: that on its last back edge, and what it did and read since */
    uint32_t accesses; /* to plain memory */
    ChangeSum sum;
} ChangeState;

/* Begins to observe the running thread, or stops. */
void changes_begin(Thread *self);
void changes_stop(Thread *self);
/* The thread is about to announce its next step: adds what its newest one has changed. */
void changes_absorb(Thread *self);
/* The thread reads plain memory, or is about to write it. */
void changes_read(Thread *self);
void changes_write(Thread *self, uint64_t address, uint64_t size);
/* The running thread changed something that no step and no hook shows: a counter with a name, or anything. */
void changes_count(uint64_t name, int64_t change);
void changes_gap(void);

/* The observed, running thread is on a back edge, in this state. Answers what it has done so far. */
ChangeState changes_arrive(Thread *self, uint64_t local);
/* What the agent of that event had done when it announced its next step; NULL if it was not observed. */
const ChangeState *changes_after(uint32_t event);
/* These events are not part of the execution any more. */
void changes_forget(uint32_t first, uint32_t end);
/* Does the access belong to the runtime's own bookkeeping? */
bool changes_ignore(uint64_t resource);

/* Two numbers as one, well mixed. */
static inline uint64_t changes_mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15ull)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 29) * 0x94d049bb133111ebull;
    return x ^ x >> 32;
}

#endif
