/* op.h - the operations on concrete values */
#ifndef SYM_EXPR_OP_H
#define SYM_EXPR_OP_H

#include "sym/expr/expr.h"

/* One operation on values. `sort` is that of the operands (of the second one for ITE).
 * `extra` is the result's sort for ZEXT and SEXT, the lowest bit for EXTRACT (the caller
 * cuts the result), the sort of the low part for CONCAT. False if an integer leaves 128
 * bits, *value is then untouched. Constant folding, evaluation and the tests all use it. */
bool op_apply(ExprOp op, Sort sort, unsigned extra, const Bits operands[3], Bits *value);

/* `extra` and the operands' sort for op_apply, of a node. */
unsigned op_extra(const ExprPool *pool, const ExprNode *node);
Sort op_operand_sort(const ExprPool *pool, const ExprNode *node);

#endif
