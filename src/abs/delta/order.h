/* order.h - which deltas belong to a product, and in which order they are applied
 *
 * A delta comes after those its clause names (`after`); otherwise in the order of the clauses.
 */
#ifndef ABS_DELTA_ORDER_H
#define ABS_DELTA_ORDER_H

#include "abs/delta/selection.h"

/* Start with {0}; release with VEC_FREE. */
typedef VEC(const DeltaClause *) DeltaOrder;

/* Adds the clauses whose condition holds for the product; false (reported) if they wait for each other. */
bool delta_order(Model *model, const FeatureSelection *selection, DeltaOrder *order);

#endif
