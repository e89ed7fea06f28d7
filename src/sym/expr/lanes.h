/* lanes.h - a condition evaluated for 256 values of one input at once */
#ifndef SYM_EXPR_LANES_H
#define SYM_EXPR_LANES_H

#include "sym/expr/assignment.h"

/* A set of values of an input of at most 8 bits, or of 256 neighbouring values of another. */
typedef struct ByteSet {
    uint64_t words[4];
} ByteSet;

/* 0 .. count - 1; count is at most 256. */
ByteSet byteset_first(unsigned count);
bool byteset_is_empty(const ByteSet *set);
unsigned byteset_count(const ByteSet *set);
void byteset_meet(ByteSet *set, const ByteSet *other);
/* The smallest member that is at least `from`, or -1. */
int byteset_next(const ByteSet *set, unsigned from);

typedef struct Lanes Lanes;

Lanes *lanes_create(const ExprPool *pool);
void lanes_destroy(Lanes *lanes);

/* Which of the values base, base + 1, .., base + 255 of `input` satisfy the condition, the other
 * inputs being as in `others`. Values wrap around at the width of the input. Adds the number
 * of nodes it computed to *cost. */
ByteSet lanes_solve(Lanes *lanes, ExprId condition, InputId input, Bits base, const Assignment *others, uint64_t *cost);

/* Whether, since the last call, some value could not be computed because an integer did not fit 128 bits; it was then
 * counted as not satisfying the condition. */
bool lanes_take_failure(Lanes *lanes);

#endif
