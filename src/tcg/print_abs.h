/* print_abs.h - expressions and facts in the syntax of ABS
 *
 * With parentheses only where they are needed, comparisons with the number on the right, and values that are no
 * numbers (references, constructors) by name.
 */
#ifndef TCG_PRINT_ABS_H
#define TCG_PRINT_ABS_H

#include "base/text.h"
#include "tcg/condition.h"

typedef struct Wording {
    const ExprPool *pool;
    /* Adds the name of a value of this input if it is not a number: "null", "Cons(1, Nil)"; else false. May be NULL. */
    bool (*word)(void *context, const Input *input, SignedBits value, Text *text);
    void *context;
} Wording;

/* Add the expression, or the fact, to the text. */
void print_abs_expr(const Wording *wording, ExprId e, Text *text);
void print_abs_fact(const Wording *wording, const Fact *fact, Text *text);

#endif
