/* selection.h - the features of a product, with the values of their attributes */
#ifndef ABS_DELTA_SELECTION_H
#define ABS_DELTA_SELECTION_H

#include "abs/syntax/product_line.h"

/* Start with {0}; nothing in it is owned but the list. */
typedef struct FeatureSelection {
    VEC(FeatureUse) features; /* each once */
} FeatureSelection;

void selection_release(FeatureSelection *selection);

/* Adds the features of a product; false after an error (reported): a product is not known or contains itself. */
bool selection_evaluate(Model *model, const ProductExpr *expr, FeatureSelection *selection);
/* The product of that name, or NULL. */
ProductDecl *selection_find_product(const Model *model, const char *name);

bool selection_has(const FeatureSelection *selection, const char *feature);
/* The value of F.a, or NULL. */
const Expr *selection_value(const FeatureSelection *selection, const char *feature, const char *attribute);

/* Adds "{F, G{a=1}}". */
void selection_print(const FeatureSelection *selection, Text *text);

#endif
