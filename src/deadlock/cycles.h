/* cycles.h - potential deadlock cycles: the cycles of the dependency graph whose parts may happen in parallel
 *
 * Lists each simple cycle of which any two parts may happen in parallel. Every deadlock of the model contains the steps
 * of at least one of them as consecutive steps: where it visits an abstract task or object for the second time, it
 * closes such a cycle.
 */
#ifndef DEADLOCK_CYCLES_H
#define DEADLOCK_CYCLES_H

#include "deadlock/depgraph.h"

/* A cycle is a list of waits, each by a task or by the cog it blocks; between two waits is the cog of the awaited
 * task, or nothing if that task itself has the next wait. */
typedef struct CycleStep {
    uint32_t wait;       /* number of a WaitEdge                                        */
    bool by_cog;         /* the wait blocks the cog of the task that the previous step waits for; else
                            it is a wait of that task itself                             */
} CycleStep;

typedef struct ModelCycle {
    CycleStep *steps;
    uint32_t count;
} ModelCycle;

typedef struct Cycles {
    const DepGraph *graph;
    Arena arena;
    VEC(ModelCycle) list;
    bool cut;            /* there are more than CYCLES_MOST                              */
} Cycles;

enum { CYCLES_MOST = 256 };

/* The cycles of a graph (borrowed), at most CYCLES_MOST; the caller owns them. */
Cycles *cycles_create(const DepGraph *graph);
void cycles_destroy(Cycles *cycles);

#endif
