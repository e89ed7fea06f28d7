/* depgraph.h - the dependency graph: which abstract tasks and cogs may wait for which
 *
 * Four kinds of edges: a task waits for another one (get, await, synchronous call), or for a condition that another one
 * could make true; the cog of a task that blocks it
 * waits for what that task waits for; a task that has not begun or has released its cog waits for that cog. A deadlock
 * is a cycle of such edges in one state, and an instance of a cycle of this graph.
 */
#ifndef DEADLOCK_DEPGRAPH_H
#define DEADLOCK_DEPGRAPH_H

#include "deadlock/mhp.h"

/* A program point at which one task may wait for another one. */
typedef struct WaitEdge {
    uint32_t task;       /* that waits              */
    uint32_t activation; /* of it, and instruction  */
    uint32_t at;
    uint32_t target;     /* task waited for         */
    bool blocks;         /* holds its cog meanwhile */
    bool condition;      /* for a condition that the target could make true (helpers.h), at once or by starting tasks */
} WaitEdge;

typedef struct DepGraph {
    const ModelPointsTo *p;
    Mhp *mhp;
    Arena arena;
    VEC(WaitEdge) waits;
    VEC(WaitEdge) conditions; /* waits for a condition, once each, without target */
    uint64_t **bodies;   /* by task: its activations                       */
    uint64_t **paused;   /* by task: tasks that may run while it waits for its cog */
} DepGraph;

/* Builds the graph from points-to results (borrowed); the caller owns it. */
DepGraph *depgraph_create(const ModelPointsTo *p);
void depgraph_destroy(DepGraph *graph);

/* The abstract object that names the cog of a task. */
uint32_t depgraph_cog(const DepGraph *graph, uint32_t task);
/* May these two waits happen in parallel? */
bool depgraph_waits_parallel(const DepGraph *graph, uint32_t wait, uint32_t other);
/* May the task wait for its cog while the other wait happens; while the other task waits for its own? */
bool depgraph_pending_parallel_wait(const DepGraph *graph, uint32_t task, uint32_t wait);
bool depgraph_pending_parallel(const DepGraph *graph, uint32_t task, uint32_t other);

#endif
