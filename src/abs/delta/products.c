/* products.c - see products.h */
#include "abs/delta/products.h"

#include "abs/delta/features.h"
#include "abs/delta/order.h"
#include "abs/delta/reflection.h"
#include "abs/syntax/product_line.h"

enum { MOST_FEATURES = 12, MOST_PRODUCTS = 200 };

typedef struct ProductSearch {
    Model *model;
    FeatureModel features;
    VEC(const FeatureDecl *) leaves;     /* features a product may name */
    VEC(FeatureSelection) declared;
    ProductList *list;
} ProductSearch;

void products_release(ProductList *list)
{
    file_names_release(&list->names);
    file_names_release(&list->deltas);
}

static void add_declared(ProductSearch *search)
{
    for (uint32_t i = 0; i < search->model->products.count; i++) {
        ProductDecl *product = search->model->products.items[i];
        FeatureSelection selection = {0};
        selection_evaluate(search->model, product->expr, &selection);
        VEC_PUSH(&search->declared, selection);
        VEC_PUSH(&search->list->names, mem_copy_string(product->name.text));
    }
}

static bool is_declared(const ProductSearch *search, const FeatureSelection *selection)
{
    for (uint32_t i = 0; i < search->declared.count; i++) {
        const FeatureSelection *declared = &search->declared.items[i];
        uint32_t same = 0;
        for (uint32_t k = 0; k < selection->features.count; k++)
            same += selection_has(declared, selection->features.items[k].name.text);
        if (same == selection->features.count && same == declared->features.count)
            return true;
    }
    return false;
}

/* The product of the leaves whose bits are set. Answers whether none of them has an attribute. */
static bool select_leaves(const ProductSearch *search, uint32_t bits, FeatureSelection *selection)
{
    bool plain = true;
    for (uint32_t i = 0; i < search->leaves.count; i++)
        if (bits >> i & 1) {
            FeatureUse use = {.name = search->leaves.items[i]->name};
            VEC_PUSH(&selection->features, use);
            plain &= search->leaves.items[i]->attributes.count == 0;
        }
    return plain;
}

static void add_allowed(ProductSearch *search, uint32_t bits)
{
    FeatureSelection selection = {0};
    bool plain = select_leaves(search, bits, &selection);
    if (feature_model_allows(&search->features, &selection, NULL) && !is_declared(search, &selection)) {
        Text name = {0};
        selection_print(&selection, &name);
        if (plain)
            VEC_PUSH(&search->list->names, mem_copy_string(text_borrow(&name)));
        search->list->with_attributes += !plain;
        text_release(&name);
    }
    selection_release(&selection);
}

/* Undeclared ones, as long as there are not too many. */
static void add_others(ProductSearch *search)
{
    uint32_t declared = search->list->names.count;
    for (uint32_t i = 0; i < search->features.features.count; i++)
        if (!search->features.features.items[i]->groups.count && search->features.features.items[i]->name.text)
            VEC_PUSH(&search->leaves, search->features.features.items[i]);
    search->list->incomplete = search->leaves.count > MOST_FEATURES;
    for (uint32_t bits = 0; !search->list->incomplete && search->leaves.count && bits >> search->leaves.count == 0;
         bits++) {
        add_allowed(search, bits);
        search->list->incomplete = search->list->names.count > declared + MOST_PRODUCTS;
    }
    while (search->list->incomplete && search->list->names.count > declared)
        free(search->list->names.items[--search->list->names.count]);
}

/* ---- What is applied -------------------------------------------------------------------- */

/* The names of the deltas in their order, with the features if a delta has values of attributes. */
static void describe_deltas(Model *model, const FeatureSelection *selection, const DeltaOrder *order, Text *text)
{
    bool values = false;
    for (uint32_t i = 0; i < order->count; i++) {
        text_add(text, "%s;", order->items[i]->delta.text);
        values |= order->items[i]->args.count > 0;
    }
    if (values)
        selection_print(selection, text);
    if (reflection_is_imported(model))
        text_reset(text);
    else
        text_add_string(text, ".");
}

static void add_deltas(ProductSearch *search, const char *name)
{
    Text text = {0};
    FeatureSelection selection = {0};
    DeltaOrder order = {0};
    const ProductExpr *expr = parser_product(search->model, name);
    if (expr && selection_evaluate(search->model, expr, &selection) &&
        feature_model_allows(&search->features, &selection, NULL) && delta_order(search->model, &selection, &order))
        describe_deltas(search->model, &selection, &order, &text);
    VEC_PUSH(&search->list->deltas, mem_copy_string(text_borrow(&text)));
    text_release(&text);
    VEC_FREE(&order);
    selection_release(&selection);
}

void products_list(Model *model, ProductList *list)
{
    ProductSearch search = {.model = model, .list = list};
    feature_model_init(&search.features, model);
    add_declared(&search);
    add_others(&search);
    for (uint32_t i = 0; i < list->names.count; i++)
        add_deltas(&search, list->names.items[i]);
    for (uint32_t i = 0; i < search.declared.count; i++)
        selection_release(&search.declared.items[i]);
    VEC_FREE(&search.declared);
    VEC_FREE(&search.leaves);
    feature_model_release(&search.features);
}
