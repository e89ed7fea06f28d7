/* candidate.h - candidates for deadlock cycles, from the code and from executions, which a search is to confirm
 *
 * The analysis of the code (instr/analysis/lockscan.h) writes its cycles to a file; executions yield a
 * LockOrder. A wait is a place in the code, narrowed by what is known about the lock and the thread.
 */
#ifndef SUBJECT_C_CANDIDATE_H
#define SUBJECT_C_CANDIDATE_H

#include "base/text.h"
#include "base/vec.h"
#include "subject/c/lockorder.h"

typedef enum CycleWaitKind { CYCLEWAIT_LOCK, CYCLEWAIT_JOIN, CYCLEWAIT_ENDED } CycleWaitKind;

enum { CYCLEWAIT_LOCKS = 16 };

/* One wait of a candidate. */
typedef struct CycleWait {
    CycleWaitKind kind;
    char *file, *function, *thread; /* thread: the first function of the threads, or one thread */
    uint32_t line, column;
    char *requested, *held;             /* names of locks                                 */
    uint32_t held_line;             /* where it was taken; 0: nothing is held         */
    uint64_t locks[CYCLEWAIT_LOCKS]; /* addresses that may be requested                */
    uint32_t lock_count;            /* 0: any                                         */
    uint64_t site;                  /* of the place, once it was reached; 0: not yet  */
} CycleWait;

/* One candidate. */
typedef struct CycleCandidate {
    LockCycleState state;
    bool in_code, in_runs;          /* where it was found                             */
    char *gate;                     /* the name of the lock, or NULL                  */
    VEC(CycleWait) waits;           /* each requests what the next one holds          */
} CycleCandidate;

typedef struct CycleCandidates {
    Program *program;
    VEC(CycleCandidate) list;
    bool scanned;                   /* the code was analysed                          */
    bool cut;                       /* it has more cycles than those listed           */
    bool other_waits;               /* there are waits for other things than locks    */
    Text unknown;                /* "file:line, ...": where the analysis does not know the lock or thread */
    uint32_t unknown_count;
} CycleCandidates;

/* Reads the file that the analysis wrote. */
bool candidates_read(CycleCandidates *cycles, Program *program, const char *path, Error *error);
/* Adds the cycles found in executions, unless they are among those of the code. */
void candidates_add_runs(CycleCandidates *cycles, const LockOrder *order);
void candidates_release(CycleCandidates *cycles);

/* Is every deadlock of locks and joins along a cycle of the list? Only if the analysis was complete. */
bool candidates_are_complete(const CycleCandidates *cycles);

/* Is this step a wait of the candidate? */
bool candidate_has(CycleCandidates *cycles, CycleCandidate *cycle, uint64_t site, uint64_t resource);

/* Is the deadlock along the candidate: are all waits of the candidate among those of the deadlock? `*exactly`: and
 * are there no others? */
bool candidate_matches(CycleCandidates *cycles, CycleCandidate *cycle, const Execution *ex, const Finding *finding,
                       bool *exactly);

#endif
