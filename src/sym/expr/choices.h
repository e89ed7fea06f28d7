/* choices.h - how many values an expression can have, as far as its structure tells */
#ifndef SYM_EXPR_CHOICES_H
#define SYM_EXPR_CHOICES_H

#include "sym/expr/expr.h"

/* True if the expression has at most `most` values: it consists of constants, choices between
 * few things, narrow parts. False says nothing. */
bool choices_are_few(const ExprPool *pool, ExprId e, uint64_t most);

#endif
