/* print.h - expressions as readable text */
#ifndef SYM_EXPR_PRINT_H
#define SYM_EXPR_PRINT_H

#include "base/text.h"
#include "sym/expr/expr.h"

/* "x", or "packet#2" for all but the first input (number 0) of a name. */
void print_input(const ExprPool *pool, InputId input, Text *text);

/* Decimal, signed: 255 as an 8-bit value is "-1"; Booleans are "true" and "false". */
void print_value(Bits value, Sort sort, Text *text);

/* Decimal, unsigned. */
void print_number(Bits value, Text *text);

/* Infix, with brackets around every operation: "((x + 3) <s y)". What is deeper than a
 * limit is shown as "...". */
void print_expr(const ExprPool *pool, ExprId e, Text *text);

#endif
