/* solver_layer.h - the interface of a layer of a solver
 *
 * See solver.h for the chain. A layer that cannot answer calls `next`.
 */
#ifndef SYM_SOLVE_SOLVER_LAYER_H
#define SYM_SOLVE_SOLVER_LAYER_H

#include "sym/solve/solver.h"

/* Whether conditions[0] and .. and conditions[count - 1] can hold together. No
 * duplicates, no constants, no conjunctions; in program order, the goal's parts last. */
typedef struct SolverQuery {
    ExprPool *pool;
    PathCond *pc;              /* first layer only: the conditions are all of these */
    const ExprId *conditions;
    uint32_t count;
    uint32_t fresh;            /* this many at the end come from the goal */
    const Assignment *witness; /* satisfies all the others, or NULL */
    uint32_t timeout_ms;
} SolverQuery;

/* The details of an answer. Only the layer that answers writes to it. */
typedef struct SolverAnswer {
    Assignment assignment; /* SAT: values of the query's inputs (undefined means 0), perhaps of others        */
    ExprId *core;          /* UNSAT: conditions that suffice; room for all of the query. NULL: not requested  */
    uint32_t core_count;   /* 0: all conditions of the query                                                  */
} SolverAnswer;

typedef struct SolverOps {
    SolverResult (*check)(Solver *self, const SolverQuery *query, SolverAnswer *answer);
    void (*destroy)(Solver *self); /* frees the layer itself, not the next one */
} SolverOps;

/* A layer begins with this. */
struct Solver {
    const SolverOps *ops;
    Solver *next;
    Solver *above; /* the previous layer */
    SolverStats *stats;
    SolverStats *owned_stats; /* freed with this layer */
    bool timing;
};

/* Passes the query to a layer and counts it. */
SolverResult solver_ask(Solver *layer, const SolverQuery *query, SolverAnswer *answer);

#endif
