/* director.h - picks threads such that they meet in the waits of a candidate cycle */
#ifndef SUBJECT_C_DIRECTOR_H
#define SUBJECT_C_DIRECTOR_H

#include "base/rng.h"
#include "core/execution.h"
#include "subject/c/candidate.h"

typedef struct Director {
    Picker picker;           /* first: the picker is the director                         */
    Program *program;
    CycleCandidates *cycles;
    CycleCandidate *cycle;        /* NULL: any thread at any time                              */
    Rng rng;
    bool random;             /* false: the thread that ran last continues, or the first one */
} Director;

/* Threads run until their next step is a wait of the candidate while they hold a lock, and are held back there;
 * if no other thread is enabled, one of them continues. */
void director_init(Director *director, Program *program, CycleCandidates *cycles, CycleCandidate *cycle, uint64_t seed);

#endif
