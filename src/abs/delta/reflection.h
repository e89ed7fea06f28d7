/* reflection.h - the module ABS.Productline: what a model may ask about its product */
#ifndef ABS_DELTA_REFLECTION_H
#define ABS_DELTA_REFLECTION_H

#include "abs/delta/selection.h"

/* Does some module import it? */
bool reflection_is_imported(const Model *model);
/* Adds the module if some module imports it. `product` is the name of the product, "" without one; the features of the
 * product line are the constructors of the type Feature. */
void reflection_add(Model *model, const char *product, const FeatureSelection *selection);

#endif
