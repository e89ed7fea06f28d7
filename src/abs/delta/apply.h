/* apply.h - makes a product of a model: applies its deltas to the core
 *
 * Deltas change modules, classes and interfaces of the syntax tree before names are resolved. Methods are changed when
 * traits have been added to their classes (check/trait.c), since a delta may change a method that comes from a trait;
 * a class lists these changes in order.
 */
#ifndef ABS_DELTA_APPLY_H
#define ABS_DELTA_APPLY_H

#include "abs/syntax/product_line.h"

/* Applies the deltas of model->reading.product, if one is given. Errors name the delta and its line; after one the
 * model is not usable. Without a product, a warning says that deltas are left out. */
void deltas_apply(Model *model);

#endif
