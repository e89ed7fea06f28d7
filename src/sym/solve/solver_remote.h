/* solver_remote.h - a solver in a process of its own as the last layer of a chain
 *
 * This keeps z3 and its memory out of the test binary, survives the death of either side, and can be stopped when a
 * query takes far too long. The process is started with the first query. A query that it cannot answer, because it died
 * or was stopped, is UNKNOWN; the next query starts a new process.
 */
#ifndef SYM_SOLVE_SOLVER_REMOTE_H
#define SYM_SOLVE_SOLVER_REMOTE_H

#include "base/error.h"
#include "sym/solve/solver_layer.h"

/* `program` is started with the number of its socket as its only argument. NULL with `error` set if it cannot be
 * executed. */
Solver *solver_remote_create(ExprPool *pool, const char *program, Error *error);
/* Asks every few milliseconds whether to wait for the answer; if not, the process is ended and the query is UNKNOWN. */
void solver_remote_set_clock(Solver *remote, bool (*may_continue)(void *context), void *context);

#endif
