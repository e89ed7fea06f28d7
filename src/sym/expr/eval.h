/* eval.h - concrete values of expressions under an assignment
 *
 * An evaluator remembers the value of each node it has evaluated until the assignment changes, so each node of a
 * growing path is evaluated once.
 */
#ifndef SYM_EXPR_EVAL_H
#define SYM_EXPR_EVAL_H

#include "sym/expr/assignment.h"

typedef struct Evaluator Evaluator;

/* The pool is borrowed. */
Evaluator *evaluator_create(const ExprPool *pool);
void evaluator_destroy(Evaluator *evaluator);

/* Sets the assignment (borrowed). To be called again after every change of its values. */
void evaluator_use(Evaluator *evaluator, const Assignment *assignment);

/* The value of `e`. False if an integer subexpression does not fit 128 bits; *value is then undefined. */
bool evaluator_get(Evaluator *evaluator, ExprId e, Bits *value);
/* Whether the Boolean `e` has the value 1. */
bool evaluator_holds(Evaluator *evaluator, ExprId e);

#endif
