/* support.h - which inputs an expression depends on
 *
 * Each set of inputs is stored once; the set of a node is computed on first use.
 */
#ifndef SYM_EXPR_SUPPORT_H
#define SYM_EXPR_SUPPORT_H

#include "sym/expr/expr.h"

/* A sorted set of inputs. Equal sets are the same object. */
typedef struct InputSet {
    uint32_t count;
    InputId inputs[];
} InputSet;

typedef struct Support Support;

Support *support_create(const ExprPool *pool);
void support_destroy(Support *support);

/* The inputs of `e`; borrowed, valid until the pool is reset. */
const InputSet *support_of(Support *support, ExprId e);

/* All inputs of these expressions, each once, in no particular order. Borrowed, valid
 * until the next call. */
const InputId *support_of_all(Support *support, const ExprId *e, uint32_t e_count, uint32_t *count);

#endif
