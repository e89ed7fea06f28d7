/* pathcond.h - a path condition: what the inputs must satisfy, in program order
 *
 * A conjunction that grows with the execution and shrinks to earlier marks. It knows
 * which of its conditions share inputs, directly or through others, so that a query is
 * answered from the part that matters.
 *
 * The witness is an assignment that satisfies the path condition as far as it was
 * built: in a concolic run, the inputs of that run. With a witness a query only has to
 * solve its own part and keeps the other inputs as they are; without one all parts
 * are solved. A condition that the witness violates invalidates it until that
 * condition is taken back.
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

/* The inputs of the run (copied). */
void pathcond_set_witness(PathCond *pc, const Assignment *witness);

/* NULL if there is none that satisfies all conditions. Borrowed. */
const Assignment *pathcond_find_witness(const PathCond *pc);
/* The same for the first `count` conditions. */
const Assignment *pathcond_find_witness_below(const PathCond *pc, uint32_t count);

/* How many conditions, from the first on, the witness satisfies. */
uint32_t pathcond_witness_reach(const PathCond *pc);

/* Adds a Boolean. A conjunction is added in its parts; what is there already, is true, or
 * follows from another part by a look (partbounds.h) is left out, so the count may stay or grow by
 * more than one. */
void pathcond_add(PathCond *pc, ExprId condition);

typedef struct PathMark {
    uint32_t count;
} PathMark;

PathMark pathcond_mark(const PathCond *pc);
/* As pathcond_set_witness, where it is known that what was there at the mark holds. */
void pathcond_renew_witness(PathCond *pc, const Assignment *witness, PathMark held);
/* Takes back what was added since the mark. */
void pathcond_pop(PathCond *pc, PathMark mark);

uint32_t pathcond_count(const PathCond *pc);
ExprId pathcond_get(const PathCond *pc, uint32_t i);
ExprPool *pathcond_pool(const PathCond *pc);
/* Of the set of conditions; the same for every order, pool and process. */
uint64_t pathcond_hash(const PathCond *pc);
/* Whether a condition was added that is constantly false or, as a look tells, contradicts
 * another one. */
bool pathcond_is_false(const PathCond *pc);

/* 1 if the condition is constantly true, literally among the parts or follows from one by a
 * look, 0 if that holds of its negation, -1 if it takes a solver to say. With 0 or 1 the branch has one way. */
int pathcond_decides(PathCond *pc, ExprId condition);

/* The conditions fall into independent groups that share no inputs. A walk over them: first
 * those that have a condition at `from` or behind, then the others. */
typedef struct GroupWalk {
    uint32_t from;
    uint32_t steps; /* 0 at the start */
} GroupWalk;

/* The conditions of the next group, in program order, into `conditions` (room for
 * pathcond_count); answers how many, 0 at the end. *fresh of them stand at `from` or behind.
 * The path condition must not change during a walk. */
uint32_t pathcond_next_group(PathCond *pc, GroupWalk *walk, ExprId *conditions, uint32_t *fresh);

#endif
