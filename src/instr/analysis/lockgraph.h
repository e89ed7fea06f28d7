/* lockgraph.h - waits of a whole program that may wait for each other, and the cycles of them
 *
 * A wait is a place at which threads ask for a lock, or for the end of a thread, with the locks
 * they hold there. It is linked to another if what it asks for may be held there. Two waits of a
 * cycle must be able to happen at the same time, and must not hold one lock (a gate).
 */
#ifndef INSTR_ANALYSIS_LOCKGRAPH_H
#define INSTR_ANALYSIS_LOCKGRAPH_H

#include "instr/analysis/locksets.h"

enum { LOCKGRAPH_CYCLES = 256, LOCKGRAPH_LENGTH = 128 };

typedef struct Waiter {
    uint32_t thread;       /* class                                             */
    bool *runs;            /* by class: may it run at the same time             */
} Waiter;

typedef struct LockWait {
    WaitKind kind;
    LLVMValueRef call;
    LLVMValueRef entry;    /* first function of the threads                     */
    AbsValue target;
    bool shared;
    HeldList held;
    VEC(Waiter) waiters;
    bool *meets;           /* by wait: can both happen at the same time         */
    bool *gated;           /* by wait: both hold one lock                       */
    bool *linked;          /* by wait: waits for what is held there             */
} LockWait;

typedef enum DeadlockCycleState { DEADLOCK_CYCLE_OPEN, DEADLOCK_CYCLE_GATED, DEADLOCK_CYCLE_APART } DeadlockCycleState;

typedef struct DeadlockCycle {
    VEC(uint32_t) waits;
    DeadlockCycleState state;
    const LockCall *gate;
} DeadlockCycle;

typedef struct LockGraph {
    PointsTo *pointsto;
    LockSets *sets;
    VEC(LockWait) waits;
    VEC(DeadlockCycle) cycles;
    bool cut;              /* there are more cycles                             */
} LockGraph;

LockGraph *lockgraph_create(PointsTo *pointsto, LockSets *sets);
void lockgraph_destroy(LockGraph *graph);

/* The entry of `held` that may be what `wait` asks for; NULL if there is none. */
const HeldLock *lockgraph_asked(const LockWait *wait, const LockWait *held);

#endif
