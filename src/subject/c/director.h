/* director.h - picking threads so that they meet in the waits of a cycle */
#ifndef SUBJECT_C_DIRECTOR_H
#define SUBJECT_C_DIRECTOR_H

#include "base/rng.h"
#include "core/execution.h"
#include "subject/c/candidate.h"

typedef struct Director {
    Picker picker;           /* first: the engine knows the director by it                */
    Program *program;
    CycleCandidates *cycles;
    CycleCandidate *cycle;        /* NULL: any thread at any time                              */
    Rng rng;
    bool random;             /* else the thread goes on that ran last, or the first one   */
} Director;

/* Threads go on until they stand at a wait of the cycle with a lock in hand, and wait there for
 * the others; if nobody else can go on, one of them does. */
void director_init(Director *director, Program *program, CycleCandidates *cycles, CycleCandidate *cycle, uint64_t seed);

#endif
