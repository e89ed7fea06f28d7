/* cone.h - all subexpressions of some expressions, operands first */
#ifndef SYM_EXPR_CONE_H
#define SYM_EXPR_CONE_H

#include "base/vec.h"
#include "sym/expr/expr.h"

typedef struct Cone Cone;

Cone *cone_create(const ExprPool *pool);
void cone_destroy(Cone *cone);

/* The nodes below the roots and the roots themselves, each once and after its operands. Borrowed, valid until the next
 * call. */
const ExprId *cone_collect(Cone *cone, const ExprId *roots, uint32_t root_count, uint32_t *count);

/* The position of `e` in the last result, which must contain it. */
uint32_t cone_position(const Cone *cone, ExprId e);

#endif
