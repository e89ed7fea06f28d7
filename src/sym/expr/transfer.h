/* transfer.h - copying expressions to another pool */
#ifndef SYM_EXPR_TRANSFER_H
#define SYM_EXPR_TRANSFER_H

#include "base/vec.h"
#include "sym/expr/expr.h"

/* The expressions copied from one pool to another. Start with {0}. To be reset together with one of the pools. */
typedef struct Transfer {
    uint32_t *ids; /* by node of the first pool: that of the second, or 0 */
    uint32_t room;
    VEC(uint32_t) stack;
} Transfer;

void transfer_release(Transfer *transfer);
void transfer_reset(Transfer *transfer);

/* The expression if it has been copied before, else none. */
static inline ExprId transfer_find(const Transfer *transfer, ExprId e)
{
    return (ExprId){e.id < transfer->room ? transfer->ids[e.id] : 0};
}

/* The expression `e` of `from` in `to`, node by node, without simplifying it again. */
ExprId transfer_copy(Transfer *transfer, const ExprPool *from, ExprId e, ExprPool *to);

#endif
