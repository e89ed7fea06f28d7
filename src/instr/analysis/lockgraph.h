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

typedef struct Wait {
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
} Wait;

typedef enum WaitCycleState { WAITCYCLE_OPEN, WAITCYCLE_GATED, WAITCYCLE_APART } WaitCycleState;

typedef struct WaitCycle {
    VEC(uint32_t) waits;
    WaitCycleState state;
    const LockCall *gate;
} WaitCycle;

typedef struct LockGraph {
    PointsTo *pointsto;
    LockSets *sets;
    VEC(Wait) waits;
    VEC(WaitCycle) cycles;
    bool cut;              /* there are more cycles                             */
} LockGraph;

LockGraph *lockgraph_create(PointsTo *pointsto, LockSets *sets);
void lockgraph_destroy(LockGraph *graph);

/* The entry of `held` that may be what `wait` asks for; NULL if there is none. */
const Held *lockgraph_asked(const Wait *wait, const Wait *held);

#endif
