/* barrier.h - barriers
 *
 * Arrivals at one round commute. Who is told to be the serial thread matters: the first to
 * leave. So a round of n threads has n outcomes. This needs to know which round an arrival
 * belongs to without looking at the order of arrivals: every thread that arrives must be
 * ordered after the round before. Where more threads than the barrier counts compete for
 * its rounds, that does not hold, and it is said to be not modelled; except for barriers of
 * two, whose arrivals are ordered (the last one is the serial thread), at no extra cost.
 */
#ifndef RT_SYNC_BARRIER_H
#define RT_SYNC_BARRIER_H

#include <pthread.h>

#include "rt/sync/misuse.h"
#include "rt/sync/sync.h"

/* Rounds are named by their number modulo this; the values of these names only grow, so
 * that a name can serve again. */
enum { BARRIER_NAMES = 8 };

typedef struct BarrierRound BarrierRound;

typedef struct Barrier {
    uint64_t resource;
    int64_t state;                    /* RES_BARRIER: arrivals so far if ordered, else 0;
                                         -1 when destroyed                              */
    int64_t arrived[BARRIER_NAMES];   /* at rounds of this name                         */
    int64_t serial[BARRIER_NAMES];    /* serial threads of rounds of this name          */
    BarrierRound *round;              /* the one that is filling                        */
    uint32_t threads;                 /* that make a round                              */
    AgentTable joined;                /* the last round a thread took part in, plus one */
    Witness last;                     /* who destroyed it                               */
} Barrier;

Barrier *barrier_of(pthread_barrier_t *object);
int barrier_init(pthread_barrier_t *object, unsigned threads);
int barrier_destroy(Barrier *barrier);
int barrier_wait(Barrier *barrier);

#endif
