/* features.h - which selections a feature model allows
 *
 * A product names the features it needs, not those above them in the tree: a feature with children is part of it if
 * the product names it, if one of its children is part of it, or if it is mandatory below one that is. Constraints are
 * read in three values: one that depends on an attribute without a value is not violated.
 */
#ifndef ABS_DELTA_FEATURES_H
#define ABS_DELTA_FEATURES_H

#include "abs/delta/selection.h"

/* The feature model of a model: its trees, with extensions, as a list of features. Start with {0}. */
typedef struct FeatureModel {
    VEC(const FeatureDecl *) features; /* parents before children; without extensions */
    VEC(const FeatureDecl *) extensions;
} FeatureModel;

/* Collects the features; the feature model is empty if the model has none. */
void feature_model_init(FeatureModel *features, const Model *model);
void feature_model_release(FeatureModel *features);

const FeatureDecl *feature_model_find(const FeatureModel *features, const char *name);

/* May these features form a product? If not, `why` (may be NULL) says what is violated. */
bool feature_model_allows(const FeatureModel *features, const FeatureSelection *selection, Text *why);

#endif
