/* choices.h - an upper bound on the number of values of an expression, from its structure */
#ifndef SYM_EXPR_CHOICES_H
#define SYM_EXPR_CHOICES_H

#include "sym/expr/expr.h"

/* True if the expression is known to have at most `most` values: it consists of constants, conditional values and
 * narrow parts. False means that this is not known. */
bool choices_are_few(const ExprPool *pool, ExprId e, uint64_t most);

#endif
