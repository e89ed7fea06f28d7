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
} SpinRead;

/* What has to be recorded for a read: at most three, since of a symbolic value its stamps are. Answers their number. */
uint32_t spin_reads_expand(SpinRead seen, SpinRead out[3]);
/* Did a location have two values? Then there is nothing to wait for. */
bool spin_reads_differ(const SpinRead *reads, uint32_t count);
/* Was one of them weak? What a loop has read then need not be what memory holds: the thread does not wait. */
bool spin_reads_weak(const SpinRead *reads, uint32_t count);
/* Is one of them part of a step? */
bool spin_reads_in_steps(const SpinRead *reads, uint32_t count);
/* Announces the wait for another value of one of them. */
void spin_reads_announce(const SpinRead *reads, uint32_t count);
/* After the wait the accesses of the step get the current values. */
void spin_reads_renew(void);
/* Has plain memory changed since, by a data race? */
bool spin_reads_race(const SpinRead *reads, uint32_t count);

#endif
