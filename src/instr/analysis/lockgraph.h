/* lockgraph.h - the static wait-for graph of a whole program, and its cycles
 *
 * A wait is a place at which threads request a lock, or the end of a thread, with the locks they hold there. It is
 * linked to another wait if what it requests may be held there. Two waits of a deadlock cycle must be able to happen
 * at the same time, and must not hold a common lock (a gate).
 */
#ifndef INSTR_ANALYSIS_LOCKGRAPH_H
#define INSTR_ANALYSIS_LOCKGRAPH_H

#include "instr/analysis/locksets.h"

enum { LOCKGRAPH_CYCLES = 256, LOCKGRAPH_LENGTH = 128 };

typedef struct Waiter {
    uint32_t thread;       /* class                                             */
    bool *runs;            /* by class: may it run at the same time?            */
} Waiter;

typedef struct LockWait {
    WaitKind kind;
    LLVMValueRef call;
    LLVMValueRef entry;    /* first function of the threads                     */
    AbsValue target;
    bool shared;
    HeldList held;
    VEC(Waiter) waiters;
    bool *meets;           /* by wait: can both happen at the same time?        */
    bool *gated;           /* by wait: both hold a common lock                  */
    bool *linked;          /* by wait: requests what is held there              */
} LockWait;

typedef enum StaticCycleState { STATIC_CYCLE_OPEN, STATIC_CYCLE_GATED, STATIC_CYCLE_APART } StaticCycleState;

typedef struct StaticCycle {
    VEC(uint32_t) waits;
    StaticCycleState state;
    const LockCall *gate;
} StaticCycle;

typedef struct LockGraph {
    PointsTo *pointsto;
    LockSets *sets;
    VEC(LockWait) waits;
    VEC(StaticCycle) cycles;
    bool cut;              /* there are more cycles                             */
} LockGraph;

LockGraph *lockgraph_create(PointsTo *pointsto, LockSets *sets);
void lockgraph_destroy(LockGraph *graph);

/* The lock held at `held` that `wait` may request; NULL if there is none. */
const LockEntry *lockgraph_asked(const LockWait *wait, const LockWait *held);

#endif
