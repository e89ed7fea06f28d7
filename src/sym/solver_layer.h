/* solver_layer.h - what a layer of a solver implements
 *
 * See solver.h for the chain. A layer that cannot answer calls `next`.
 */
#ifndef SYM_SOLVER_LAYER_H
#define SYM_SOLVER_LAYER_H

#include "sym/solver.h"

/* Whether conditions[0] and .. and conditions[count - 1] can hold; the goal is the last
 * of them. No duplicates, no constants, in program order before the goal. */
typedef struct SolverQuery {
    ExprPool *pool;
    PathCond *pc;              /* where it comes from, or NULL; only `slice` looks at it */
    const ExprId *conditions;
    uint32_t count;
    const Assignment *witness; /* satisfies all but the goal, or NULL */
    uint32_t timeout_ms;
} SolverQuery;

/* The answer's other half. Filled by the layer that answers. */
typedef struct SolverAnswer {
    Assignment model; /* SAT: values of at least the inputs of the query */
    ExprId *core;     /* UNSAT: conditions that suffice; room for the query's */
    uint32_t core_count; /* 0: all of them */
} SolverAnswer;

typedef struct SolverOps {
    SolverResult (*check)(Solver *self, const SolverQuery *query, SolverAnswer *answer);
    void (*destroy)(Solver *self); /* frees the layer itself, not the next one */
} SolverOps;

/* A layer begins with this. */
struct Solver {
    const SolverOps *ops;
    Solver *next;
    SolverStats *stats;
    SolverLayer layer;
    bool timing;
};

/* Hands the query to a layer, counting. */
SolverResult solver_ask(Solver *layer, const SolverQuery *query, SolverAnswer *answer);

#endif
