/* waitcycle.h - cycles of waits that a search is to confirm, from the code and from runs
 *
 * The analysis of the code (instr/analysis/lockscan.h) writes them to a file; runs show theirs in a
 * LockOrder. A wait is a place in the code; what is known of the lock and the thread beyond
 * that narrows it.
 */
#ifndef SUBJECT_C_CANDIDATE_H
#define SUBJECT_C_CANDIDATE_H

#include "base/text.h"
#include "base/vec.h"
#include "subject/c/lockorder.h"

typedef enum CycleWaitKind { CYCLEWAIT_LOCK, CYCLEWAIT_JOIN, CYCLEWAIT_ENDED } CycleWaitKind;

enum { CYCLEWAIT_LOCKS = 16 };

typedef struct CycleWait {
    CycleWaitKind kind;
    char *file, *function, *thread; /* who: the first function of the threads, or one thread */
    uint32_t line, column;
    char *asked, *held;             /* locks, in words                                */
    uint32_t held_line;             /* where it was taken; 0: nothing is held         */
    uint64_t locks[CYCLEWAIT_LOCKS]; /* addresses that may be asked for                */
    uint32_t lock_count;            /* 0: any                                         */
    uint64_t site;                  /* of the place, once it was met; 0: not yet      */
} CycleWait;

typedef struct CycleCandidate {
    LockCycleState state;
    bool in_code, in_runs;          /* who knows it                                   */
    char *gate;                     /* in words, or NULL                              */
    VEC(CycleWait) waits;           /* each asks for what the next one holds          */
} CycleCandidate;

typedef struct CycleCandidates {
    Program *program;
    VEC(CycleCandidate) list;
    bool scanned;                   /* the code was analysed                          */
    bool cut;                       /* it has more cycles than those listed           */
    bool other_waits;               /* it waits for other things than locks           */
    Text unfollowed;                /* "file:line, ...": where the analysis knows no lock or thread */
    uint32_t unfollowed_count;
} CycleCandidates;

/* Reads what the analysis wrote; false with `error` if that is not it. */
bool candidates_read(CycleCandidates *cycles, Program *program, const char *path, Error *error);
/* Adds the cycles that runs have shown, unless the code has them. */
void candidates_add_runs(CycleCandidates *cycles, const LockOrder *order);
void candidates_release(CycleCandidates *cycles);

/* Is every deadlock of locks and joins along a cycle of the list? */
bool candidates_are_complete(const CycleCandidates *cycles);

/* Is this step a wait of the cycle? */
bool candidate_has(CycleCandidates *cycles, CycleCandidate *cycle, uint64_t site, uint64_t resource);

/* Does the deadlock go along the cycle: are all its waits among the waiting threads; and are
 * these all of them (`exactly`)? */
bool candidate_matches(CycleCandidates *cycles, CycleCandidate *cycle, const Execution *ex, const Finding *finding,
                       bool *exactly);

#endif
