/* barrier.h - barriers
 *
 * A round ends when as many threads have arrived as the barrier counts. Arrivals at one round
 * commute. If the program asks which thread is the serial one, that is the first to leave, so a
 * round of n threads has n outcomes; otherwise it has one. The round of an arrival must not depend
 * on the order of arrivals: every arriving thread must be ordered after the previous round. If more
 * threads than the barrier counts compete for its rounds, that does not hold, and the run ends as
 * not modelled.
 *
 * Arrivals at a barrier that is *ordered* do not commute, so that any number of threads may
 * compete; the last one is the serial thread. Barriers of two are if the program asks for it, since
 * that costs nothing then; all are with --barriers=ordered.
 */
#ifndef RT_SYNC_BARRIER_H
#define RT_SYNC_BARRIER_H

#include <pthread.h>

#include "rt/sync/misuse.h"
#include "rt/sync/sync.h"

/* Rounds are named by their number modulo this; the values of these resources only grow, so
 * that a name can be reused. */
enum { BARRIER_NAMES = 8 };

typedef struct BarrierRound BarrierRound;

typedef struct Barrier {
    uint64_t resource;
    int64_t state;                    /* RES_BARRIER: arrivals so far if ordered, else 0;
                                         -1 when destroyed                              */
    int64_t arrived[BARRIER_NAMES];   /* at rounds of this name                         */
    int64_t serial[BARRIER_NAMES];    /* serial threads of rounds of this name          */
    BarrierRound *round;              /* the current one                                */
    uint32_t threads;                 /* per round                                      */
    AgentTable joined;                /* the last round a thread took part in, plus one */
    Witness last;                     /* of its destruction                             */
} Barrier;

/* The state of an object that is used; on first use read from the bytes that glibc initialised. */
Barrier *barrier_of(pthread_barrier_t *object);
/* EINVAL if `threads` is 0 or too large. A step only if the object is known (lock_init). */
int barrier_init(pthread_barrier_t *object, unsigned threads);
/* 0. A misuse if threads wait at it. */
int barrier_destroy(Barrier *barrier);
/* Two steps, arriving and leaving; the last to arrive at an ordered barrier needs only the first.
 * Returns PTHREAD_BARRIER_SERIAL_THREAD to one thread of the round, 0 to the others. */
int barrier_wait(Barrier *barrier);

#endif
