/* lockorder.h - the order in which threads of executions acquire locks, and its cycles
 *
 * An edge is a thread that holds some locks and requests another one. A cycle of edges of different
 * threads may be a deadlock, unless two of them hold a common lock (a gate), or the creation and
 * joining of threads orders two of them.
 */
#ifndef SUBJECT_C_LOCKORDER_H
#define SUBJECT_C_LOCKORDER_H

#include "rt/program/program_c.h"

enum {
    LOCKORDER_EDGES = 4096,
    LOCKORDER_HELD = 12,
    LOCKORDER_CYCLE = 16,
    LOCKORDER_CYCLES = 256,
    LOCKORDER_THREADS = 128
};

typedef struct LockEdge {
    AgentId agent;
    uint32_t step;                  /* of the agent: the one that requests the lock */
    uint64_t lock;                  /* the one requested                            */
    uint64_t site;                  /* where                                        */
    uint64_t held[LOCKORDER_HELD];
    uint64_t held_sites[LOCKORDER_HELD];
    bool held_shared[LOCKORDER_HELD]; /* for reading                                 */
    bool shared;                    /* requested for reading                        */
    uint32_t held_count;
    uint32_t clock[LOCKORDER_THREADS]; /* steps of others that happen before it     */
} LockEdge;

typedef enum LockCycleState {
    LOCKCYCLE_OPEN,
    LOCKCYCLE_GATED,                /* a lock is held on two of its edges            */
    LOCKCYCLE_ORDERED               /* two of its edges never happen at the same time */
} LockCycleState;

typedef struct LockCycle {
    uint32_t edges[LOCKORDER_CYCLE]; /* edge i requests a lock that edge i+1 holds   */
    uint32_t held[LOCKORDER_CYCLE];  /* which of the locks of edge i edge i-1 requests */
    uint32_t count;
    LockCycleState state;
    uint64_t gate;
} LockCycle;

/* In a region: the process that runs the program fills it. */
typedef struct LockOrder {
    uint32_t edge_count, cycle_count;
    bool overflow;                  /* a limit was reached: more cycles may exist    */
    bool other_waits;               /* conditions, semaphores, barriers were used     */
    LockEdge edges[LOCKORDER_EDGES];
    LockCycle cycles[LOCKORDER_CYCLES];
} LockOrder;

/* Adds the edges of an execution. */
void lockorder_add(LockOrder *order, const Execution *ex);
/* Finds the cycles of all edges added so far. */
void lockorder_find_cycles(LockOrder *order);

#endif
