/* solver_z3.h - the z3 library as the last layer of a chain
 *
 * Not part of the library sennit_sym but of sennit_z3, so that a program that reaches z3
 * through another process (solver_remote.h) is linked without it.
 */
#ifndef SYM_SOLVE_SOLVER_Z3_H
#define SYM_SOLVE_SOLVER_Z3_H

#include "sym/solve/solver_layer.h"

/* A layer with a z3 context of its own; the pool is borrowed. */
Solver *solver_z3_create(ExprPool *pool);

#endif
