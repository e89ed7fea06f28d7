/* lanes.h - a condition evaluated for all values of one small input at once */
#ifndef SYM_LANES_H
#define SYM_LANES_H

#include "sym/assignment.h"

/* A set of values of an input of at most 8 bits. */
typedef struct ByteSet {
    uint64_t words[4];
} ByteSet;

ByteSet byteset_all(Sort sort);
bool byteset_is_empty(const ByteSet *set);
unsigned byteset_count(const ByteSet *set);
void byteset_meet(ByteSet *set, const ByteSet *other);
/* The smallest member that is at least `from`, or -1. */
int byteset_next(const ByteSet *set, unsigned from);

typedef struct Lanes Lanes;

Lanes *lanes_create(const ExprPool *pool);
void lanes_destroy(Lanes *lanes);

/* The values of `input` (at most 8 bits wide) for which `condition` holds, the other inputs
 * being as in `others`. Adds the number of nodes it computed to *cost. */
ByteSet lanes_solve(Lanes *lanes, ExprId condition, InputId input, const Assignment *others, uint64_t *cost);

#endif
