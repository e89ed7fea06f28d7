/* solver_layers.h - the layers that solver_chain.c puts together
 *
 * Each function makes one layer without statistics and without a next one.
 */
#ifndef SYM_SOLVE_SOLVER_LAYERS_H
#define SYM_SOLVE_SOLVER_LAYERS_H

#include "sym/solve/solver_layer.h"

/* Keeps what shares inputs with the goal; `whole` keeps everything. */
Solver *solver_slice_create(const ExprPool *pool, uint32_t timeout_ms, bool whole);
/* Re-evaluates assignments; asks `second` (borrowed, may be NULL) whether it agrees on UNSAT. */
Solver *solver_check_create(const ExprPool *pool, Solver *second);
/* Tries the witness and the latest assignments. */
Solver *solver_reuse_create(const ExprPool *pool);
/* Remembers answers and unsatisfiable sets. */
Solver *solver_cache_create(const ExprPool *pool);
/* Decides what is cheap to decide. */
Solver *solver_fast_create(const ExprPool *pool);
/* Writes each query to `directory`/NNNNNN.smt2; the directory must exist. */
Solver *solver_log_create(const char *directory);
/* Makes the values of assignments smaller where that costs evaluation only. */
Solver *solver_small_create(const ExprPool *pool);
/* Knows nothing. */
Solver *solver_none_create(void);

#endif
