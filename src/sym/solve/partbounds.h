/* partbounds.h - the bounds that the conditions of a path put on single expressions: x < 7, 3 < x, x == 5
 *
 * Loops compare the same value with one constant after the other. A condition that follows from an earlier one, or
 * contradicts it, is recognised here without solving, and of several bounds on the same expression only the tightest
 * has to be solved.
 */
#ifndef SYM_SOLVE_PARTBOUNDS_H
#define SYM_SOLVE_PARTBOUNDS_H

#include "sym/expr/expr.h"

typedef struct PartBounds PartBounds;

PartBounds *partbounds_create(const ExprPool *pool);
void partbounds_destroy(PartBounds *bounds);

typedef enum BoundVerdict { BOUND_OPEN, BOUND_HOLDS, BOUND_FAILS } BoundVerdict;

/* Whether this condition follows from the added ones, contradicts one of them, or neither. */
BoundVerdict partbounds_decide(const PartBounds *bounds, ExprId condition);

enum { PARTBOUNDS_REPLACED = 4 };

/* Adds a condition that is BOUND_OPEN, the `part`-th of the path; parts increase. */
void partbounds_add(PartBounds *bounds, ExprId condition, uint32_t part);

/* Returns the number of earlier parts that follow from `part`, the latest one, and sets `parts` to them (at most
 * PARTBOUNDS_REPLACED). */
uint32_t partbounds_replaced(const PartBounds *bounds, uint32_t part, uint32_t *parts);
/* Removes `part`, if it was added; it must be the latest. */
void partbounds_remove(PartBounds *bounds, uint32_t part);

#endif
