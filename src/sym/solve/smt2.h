/* smt2.h - queries as SMT-LIB 2 */
#ifndef SYM_SOLVE_SMT2_H
#define SYM_SOLVE_SMT2_H

#include "base/text.h"
#include "sym/expr/expr.h"

/* Writes a complete script: inputs, shared expressions, one assertion per condition, check-sat and get-model.
 * Bit-vectors of width 1 become Bool. */
void smt2_write_query(const ExprPool *pool, const ExprId *conditions, uint32_t count, Text *text);

#endif
