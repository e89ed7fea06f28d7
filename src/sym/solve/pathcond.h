/* pathcond.h - a path condition: what the inputs must satisfy, in program order
 *
 * A conjunction that grows with the execution and is cut back to earlier marks. It tracks which of its conditions share
 * inputs, directly or through others, so that a query is answered from the relevant part.
 *
 * The witness is an assignment that satisfies the path condition built so far: in a concolic execution, the inputs of
 * that execution. With a witness a query only has to solve its own part and keeps the values of the other inputs;
 * without one all parts are solved. A condition that the witness violates invalidates it until that condition is
 * removed.
 */
#ifndef SYM_SOLVE_PATHCOND_H
#define SYM_SOLVE_PATHCOND_H

#include "sym/expr/eval.h"
#include "sym/expr/support.h"

typedef struct PathCond PathCond;

/* Empty, that is true. The pool is borrowed. */
PathCond *pathcond_create(ExprPool *pool);
void pathcond_destroy(PathCond *pc);
/* Empty again, without a witness. To be called when the pool was reset. */
void pathcond_reset(PathCond *pc);

/* The inputs of the execution (copied). */
void pathcond_set_witness(PathCond *pc, const Assignment *witness);

/* The witness if it satisfies the first `count` conditions, else NULL. Borrowed. */
const Assignment *pathcond_find_witness_below(const PathCond *pc, uint32_t count);

/* How many conditions, from the first on, the witness satisfies. */
uint32_t pathcond_witness_reach(const PathCond *pc);

/* Adds a Boolean. A conjunction is added in its parts; a part that exists already, is true, or follows from another one
 * (partbounds.h) is left out, so the count may stay the same or grow by more than one. */
void pathcond_add(PathCond *pc, ExprId condition);

typedef struct PathMark {
    uint32_t count;
} PathMark;

/* The current end of the path condition. */
PathMark pathcond_mark(const PathCond *pc);
/* As pathcond_set_witness, where the conditions up to the mark are known to hold. */
void pathcond_renew_witness(PathCond *pc, const Assignment *witness, PathMark held);
/* Removes what was added since the mark. */
void pathcond_pop(PathCond *pc, PathMark mark);

/* The conditions, in program order. */
uint32_t pathcond_count(const PathCond *pc);
ExprId pathcond_get(const PathCond *pc, uint32_t i);
ExprPool *pathcond_pool(const PathCond *pc);
/* Whether a condition was added that is constantly false or contradicts another one according to partbounds.h. */
bool pathcond_is_false(const PathCond *pc);

/* 1 if the condition is constantly true, literally among the parts or follows from one (partbounds.h), 0 if that holds
 * for its negation, -1 if a solver has to decide. With 0 or 1 the branch has only one feasible side. */
int pathcond_decides(PathCond *pc, ExprId condition);

/* The conditions form independent groups that share no inputs. A walk over the groups: first those that have a
 * condition at position `from` or later, then the others. */
typedef struct GroupWalk {
    uint32_t from;
    uint32_t steps; /* 0 at the start */
} GroupWalk;

/* Puts the conditions of the next group, in program order, into `conditions` (room for pathcond_count) and returns
 * their number, 0 at the end. *fresh of them are at position `from` or later. The path condition must not change
 * during a walk. */
uint32_t pathcond_next_group(PathCond *pc, GroupWalk *walk, ExprId *conditions, uint32_t *fresh);

#endif
