/* cycles.h - the cycles of the dependency graph whose parts may meet
 *
 * Each simple cycle of which any two parts may happen in parallel is listed. Every
 * deadlock of the model goes along at least one of them without a gap: where the way of
 * a deadlock meets an abstract task or object for the second time it closes such a cycle.
 */
#ifndef DEADLOCK_CYCLES_H
#define DEADLOCK_CYCLES_H

#include "deadlock/depgraph.h"

/* A cycle is a list of waits, each by a task or by the cog it blocks; between two waits
 * lies the cog of the task waited for, or nothing if that task itself waits next. */
typedef struct CycleStep {
    uint32_t wait;       /* number of a WaitEdge                                        */
    bool by_cog;         /* the wait blocks the cog that the step before asked for; else
                            the task that the step before waits for does this wait       */
} CycleStep;

typedef struct ModelCycle {
    CycleStep *steps;
    uint32_t count;
} ModelCycle;

typedef struct Cycles {
    const DepGraph *graph;
    Arena arena;
    VEC(ModelCycle) list;
    bool cut;            /* there are more: the limit was reached                        */
} Cycles;

enum { CYCLES_MOST = 256 };

Cycles *cycles_create(const DepGraph *graph);
void cycles_destroy(Cycles *cycles);

#endif
