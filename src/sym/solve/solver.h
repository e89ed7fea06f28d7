/* solver.h - whether a path condition is satisfiable
 *
 * A solver is a chain of layers with one signature. Each answers a query or passes it, possibly reduced, to the next:
 *
 *     slice   keeps the conditions that share inputs with the goal
 *     check   on demand: re-evaluates every assignment, asks z3 for a second opinion
 *     reuse   tries the witness and the latest assignments
 *     cache   remembers earlier answers and unsatisfiable sets
 *     fast    decides orders, intervals, known bits, small domains
 *     log     writes the query as SMT-LIB 2
 *     small   shrinks the assignments of the layers behind it
 *     z3      in this process (solver_z3.h) or in another one (solver_remote.h)
 *
 * solver_chain_create builds it. Answers are sound: SAT comes with an assignment that was evaluated, UNSAT is a proof,
 * and what could not be decided in time is UNKNOWN, which the client counts and shows in its verdict.
 *
 * For a concolic run:
 *
 *     pathcond_set_witness(pc, &inputs);
 *     at each branch on a symbolic condition c that was taken:
 *         if (pathcond_decides(pc, c) < 0 &&
 *             solver_check(solver, pc, expr_not(pool, c), &assignment) == SOLVER_SAT)
 *             remember `assignment` as the inputs of a run that takes the other side;
 *         pathcond_add(pc, c);
 *
 * The assignment defines every input of the path condition and the goal, and keeps the witness's values of inputs that
 * are independent of the goal.
 */
#ifndef SYM_SOLVE_SOLVER_H
#define SYM_SOLVE_SOLVER_H

#include "sym/solve/pathcond.h"

typedef enum SolverResult { SOLVER_UNSAT, SOLVER_SAT, SOLVER_UNKNOWN } SolverResult;

typedef struct Solver Solver;

/* Whether the path condition and `goal` (EXPR_NONE for true) can hold together. After SOLVER_SAT *assignment satisfies
 * them, otherwise it is unchanged. `assignment` may be NULL. */
SolverResult solver_check(Solver *solver, PathCond *pc, ExprId goal, Assignment *assignment);

/* The same without a goal. Where the witness satisfies only a prefix of the path condition, the rest is the goal. */
SolverResult solver_check_path(Solver *solver, PathCond *pc, Assignment *assignment);

/* ---- Chains ----------------------------------------------------------- */

typedef enum SolverLayer {
    LAYER_SLICE,
    LAYER_CHECK,
    LAYER_REUSE,
    LAYER_CACHE,
    LAYER_FAST,
    LAYER_LOG,
    LAYER_SMALL,
    LAYER_END, /* z3 */
    LAYERS
} SolverLayer;

/* The statistics of one layer: queries that reached it, and how they were answered there or by a later layer. */
typedef struct SolverStats {
    uint64_t queries;
    uint64_t sat;
    uint64_t unsat;
    uint64_t unknown;
    uint64_t cpu_nanoseconds; /* of a solver process, as it reports it                                     */
    uint64_t nanoseconds;     /* in this layer alone; only the last one without SolverOptions.timing        */
} SolverStats;

typedef struct SolverOptions {
    ExprPool *pool;
    Solver *end;            /* the last layer, owned by the chain; NULL: UNKNOWN there */
    uint32_t timeout_ms;    /* per query of the last layer, roughly; 0 means 10,000 */
    const char *log_dir;    /* where queries that reach the last layer are written; NULL: nowhere */
    bool check;             /* re-evaluate every assignment, ask the last layer for a second opinion */
    bool timing;
    uint32_t without;       /* set of layers to leave out, for measurements: 1u << LAYER_... */
    SolverStats *stats;     /* LAYERS of them, may be in shared memory; NULL: the chain's own */
} SolverOptions;

/* Owned by the caller. */
Solver *solver_chain_create(const SolverOptions *options);
void solver_destroy(Solver *solver);

/* Statistics of the whole chain, LAYERS of them. */
const SolverStats *solver_stats(const Solver *chain);
const char *solver_layer_name(SolverLayer layer);
/* The number of queries that this layer answered. */
uint64_t solver_answered(const SolverStats *stats, SolverLayer layer);
/* One line per layer that a query reached: name, queries, answered, share, time. */
void solver_stats_print(const SolverStats *stats, Text *text);

#endif
