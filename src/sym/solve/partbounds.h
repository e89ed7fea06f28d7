/* partbounds.h - what the conditions of a path say about single expressions: x < 7, 3 < x, x == 5
 *
 * Loops compare the same value with one constant after the other. Here a condition that
 * follows from an earlier one, or contradicts it, is recognised by a look, and of
 * bounds on the same expression only the tightest has to be solved.
 */
#ifndef SYM_SOLVE_PARTBOUNDS_H
#define SYM_SOLVE_PARTBOUNDS_H

#include "sym/expr/expr.h"

typedef struct PartBounds PartBounds;

PartBounds *partbounds_create(const ExprPool *pool);
void partbounds_destroy(PartBounds *bounds);

typedef enum BoundVerdict { BOUND_OPEN, BOUND_HOLDS, BOUND_FAILS } BoundVerdict;

/* What the noted conditions alone say about this one. */
BoundVerdict partbounds_decide(const PartBounds *bounds, ExprId condition);

enum { PARTBOUNDS_REPLACED = 4 };

/* Notes a condition that is open, the path's `part`-th; larger than all parts before. */
void partbounds_add(PartBounds *bounds, ExprId condition, uint32_t part);

/* The parts that follow from `part` (PARTBOUNDS_REPLACED at most), which is the latest that was
 * noted; answers their number. */
uint32_t partbounds_replaced(const PartBounds *bounds, uint32_t part, uint32_t *parts);
/* Forgets `part`, if it was noted; it must be the latest. */
void partbounds_remove(PartBounds *bounds, uint32_t part);

#endif
