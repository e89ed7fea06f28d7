/* symbol.h - symbolic values: a concrete value with an expression beside it
 *
 * Int and Bool values can be symbolic; so can the quotient of two integers, as long as only truncate() uses it. What
 * cannot be expressed is concretised: from there on only inputs for which the value is the current one are explored,
 * which is counted.
 */
#ifndef ABS_RUN_SYMBOL_H
#define ABS_RUN_SYMBOL_H

#include "abs/run/machine.h"
#include "abs/value/number.h"
#include "sym/expr/expr.h"

typedef enum SymbolOrder { SYMBOL_LT, SYMBOL_LE, SYMBOL_GT, SYMBOL_GE } SymbolOrder;

static inline bool value_is_symbol(Value v) { return value_is_kind(v, CELL_SYMBOL); }
static inline Value symbol_concrete(Value v) { return value_is_symbol(v) ? value_cell(v)->args[0] : v; }

/* `concrete` with an expression; `concrete` itself if the expression is constant. */
Value symbol_make(Machine *machine, Value concrete, ExprId expr);
/* The expression of an Int or Bool, symbolic or not; EXPR_NONE if the number is too large for one. */
ExprId symbol_expr(Machine *machine, Value v);

/* ---- Operations with an operand that is, or may contain, a symbol ---- */

/* VALUE_NONE if the divisor is zero, which may be a decision. */
Value symbol_apply(Machine *machine, NumberOp op, Value a, Value b);
Value symbol_negate(Machine *machine, Value a);
Value symbol_truncate(Machine *machine, Value a);
Value symbol_not(Machine *machine, Value a);
Value symbol_equal(Machine *machine, Value a, Value b);
Value symbol_order(Machine *machine, SymbolOrder order, Value a, Value b);

/* ---- Decisions ---- */

/* The truth of a Bool; if it is symbolic it becomes a decision of the running step. */
bool symbol_decide(Machine *machine, Value v);
/* The value with all symbols in it concretised. */
Value symbol_concretise(Machine *machine, Value v);

#endif
