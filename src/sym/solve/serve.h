/* serve.h - answering the queries of another process (the other end of solver_remote.h) */
#ifndef SYM_SOLVE_SERVE_H
#define SYM_SOLVE_SERVE_H

#include "sym/solve/solver_layer.h"

/* Answers queries with `solver`, whose expressions are in `pool`, until the other side closes the socket (true) or
 * sends something damaged (false). */
bool serve_queries(int fd, ExprPool *pool, Solver *solver);

#endif
