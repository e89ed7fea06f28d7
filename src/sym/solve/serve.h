/* serve.h - answering the queries of another process (the other end of solver_remote.h) */
#ifndef SYM_SOLVE_SERVE_H
#define SYM_SOLVE_SERVE_H

#include "sym/solve/solver_layer.h"

/* Answers with `solver`, whose expressions are in `pool`, until the other side closes the
 * socket or sends something damaged; answers true in the first case. */
bool serve_queries(int fd, ExprPool *pool, Solver *solver);

#endif
