/* products.h - the products of a model: those it declares, and the others that its feature model allows */
#ifndef ABS_DELTA_PRODUCTS_H
#define ABS_DELTA_PRODUCTS_H

#include "abs/syntax/product_line.h"

/* Start with {0}. */
typedef struct ProductList {
    FileNames names;         /* as for --product: names, or features in braces */
    FileNames deltas;        /* of each: what is applied, equal if that is the same; "": it stands alone */
    uint32_t with_attributes; /* products left out because their attributes need values */
    bool incomplete;         /* too many to list: only those that are declared */
} ProductList;

void products_list(Model *model, ProductList *list);
void products_release(ProductList *list);

#endif
