/* spin_reads.h - what a thread has read in iterations of a loop that may become a blocking wait
 *
 * For spin.c (loops that the instrumenter found to be free of side effects) and repeat.c (all others).
 */
#ifndef RT_SPIN_SPIN_READS_H
#define RT_SPIN_SPIN_READS_H

#include "rt/kernel/runtime.h"

typedef struct SpinRead {
    uint64_t resource;
    int64_t value;
    uint8_t lanes;
    bool guards; /* another value ends the wait                                         */
    bool plain;  /* not in a step: other threads change it in the middle of their steps */
    bool mixed;  /* both in a step and not                                              */
    bool weak;   /* in a weak step                                                      */
} SpinRead;

/* What has to be recorded for a read: at most three, since of a symbolic value its stamps are. Answers their number. */
uint32_t spin_reads_expand(SpinRead seen, SpinRead out[3]);
/* The same value was read there once more. */
static inline void spin_reads_merge(SpinRead *read, const SpinRead *again)
{
    read->mixed |= read->plain != again->plain;
    read->plain &= again->plain;
}
/* Did a location have two values? Then there is nothing to wait for. */
bool spin_reads_differ(const SpinRead *reads, uint32_t count);
/* Are they all atomic reads of one place? */
bool spin_reads_one_place(const SpinRead *reads, uint32_t count);
/* What a step accesses: does it change something, for a loop that is to wait? */
bool spin_reads_changed(const Access *access);
/* Did the iterations acquire locks? */
bool spin_reads_locked(const SpinRead *reads, uint32_t count);
/* Was one of them weak? Then the thread does not wait for another value: what it has read need not be what memory
 * holds. */
bool spin_reads_weak(const SpinRead *reads, uint32_t count);
/* Weak reads of iterations that changed nothing: the thread stops, as if it spun forever, unless there are other
 * steps among them. Nothing is lost, since the search has these reads read every write there is. (SPIN-20) Have they
 * also written plain memory, and taken that back? */
void spin_reads_stop(const SpinRead *reads, uint32_t count, bool wrote);
/* The thread stopped so; is there a newer value of what it read? Then it does not spin forever. */
bool spin_reads_outdated(const Thread *thread);
/* Is one of them part of a step? */
bool spin_reads_in_steps(const SpinRead *reads, uint32_t count);
/* Announces the wait for another value of one of them. */
void spin_reads_announce(const SpinRead *reads, uint32_t count);
/* After the wait the accesses of the step get the current values. */
void spin_reads_renew(void);
/* Has plain memory changed since, by a data race? */
bool spin_reads_race(const SpinRead *reads, uint32_t count);

#endif
