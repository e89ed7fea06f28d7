/* dialect.h - forms of older releases
 *
 * A model is written in one reading of the language throughout: it is checked in the current one first, and only if
 * it is wrong in that, in older ones; but not if it has forms that these did not have (Model.modern). The first place
 * of each old form has a warning that shows the current form.
 */
#ifndef ABS_CHECK_DIALECT_H
#define ABS_CHECK_DIALECT_H

#include "abs/check/check_internal.h"

/* The readings of a dialect in the order in which they are tried: sets of old forms. */
unsigned dialect_readings(Dialect dialect, const unsigned **readings);
/* Is the model correct, apart from what is not supported? */
bool dialect_fits(const Model *model);

/* Is the form allowed? If so, the place is noted. */
bool dialect_allows(Checker *c, OldForm form, SrcPos pos, uint32_t length);
/* a / b of integers becomes truncate(a / b); answers its type. */
Type *dialect_truncate(Checker *c, Expr *quotient);
/* The function that a call means: lookupUnsafe instead of the library's lookup. */
FunctionDecl *dialect_function(Checker *c, const Expr *call, FunctionDecl *function);
/* May a literal, or a constructor without arguments, be a pattern for a value of this type? It is compared then. */
bool dialect_matches(Checker *c, Pattern *pattern, const Type *type);

#endif
