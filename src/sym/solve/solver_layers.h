/* solver_layers.h - the constructors of the layers of a chain, one per file solver_*.c
 *
 * Each makes one layer without statistics and without a next one, owned by the caller.
 */
#ifndef SYM_SOLVE_SOLVER_LAYERS_H
#define SYM_SOLVE_SOLVER_LAYERS_H

#include "sym/solve/solver_layer.h"

/* Keeps the conditions that share inputs with the goal; with `whole` all of them. */
Solver *solver_slice_create(const ExprPool *pool, uint32_t timeout_ms, bool whole);
/* Re-evaluates assignments; asks `second` (borrowed, may be NULL) whether it agrees on UNSAT. */
Solver *solver_check_create(const ExprPool *pool, Solver *second);
/* Tries the witness and the latest assignments. */
Solver *solver_reuse_create(const ExprPool *pool);
/* Remembers answers and unsatisfiable sets. */
Solver *solver_cache_create(const ExprPool *pool);
/* Fast decision procedures (fast_internal.h). */
Solver *solver_fast_create(const ExprPool *pool);
/* Writes each query to `directory`/NNNNNN.smt2; the directory must exist. */
Solver *solver_log_create(const char *directory);
/* Shrinks assignments (shrink.h). */
Solver *solver_small_create(const ExprPool *pool);
/* Answers SOLVER_UNKNOWN. */
Solver *solver_none_create(void);

#endif
