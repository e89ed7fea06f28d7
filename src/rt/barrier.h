/* barrier.h - barriers
 *
 * Arrivals commute except the last of a round, which opens it: so the search explores who
 * is last (that thread gets PTHREAD_BARRIER_SERIAL_THREAD), and, where more threads use
 * the barrier than it counts, who meets whom.
 */
#ifndef RT_BARRIER_H
#define RT_BARRIER_H

#include <pthread.h>

#include "rt/misuse.h"
#include "rt/sync.h"

typedef struct BarrierRound BarrierRound;

typedef struct Barrier {
    const void *object;
    int64_t arrived;       /* RES_BARRIER: arrivals since the beginning */
    uint32_t threads;      /* that make a round                         */
    BarrierRound *round;   /* the one that is filling                   */
    bool destroyed;
    Witness last;          /* who destroyed it                          */
} Barrier;

Barrier *barrier_of(pthread_barrier_t *object);
int barrier_init(pthread_barrier_t *object, unsigned threads);
int barrier_destroy(Barrier *barrier);
int barrier_wait(Barrier *barrier);

#endif
