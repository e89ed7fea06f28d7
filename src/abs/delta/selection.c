/* selection.c - see selection.h */
#include "abs/delta/selection.h"

#include <string.h>

void selection_release(FeatureSelection *selection)
{
    VEC_FREE(&selection->features);
}

static const FeatureUse *find_feature(const FeatureSelection *selection, const char *name)
{
    for (uint32_t i = 0; i < selection->features.count; i++)
        if (selection->features.items[i].name.text == name)
            return &selection->features.items[i];
    return NULL;
}

bool selection_has(const FeatureSelection *selection, const char *feature)
{
    return find_feature(selection, feature) != NULL;
}

const Expr *selection_value(const FeatureSelection *selection, const char *feature, const char *attribute)
{
    const FeatureUse *use = find_feature(selection, feature);
    for (uint32_t i = 0; use && i < use->values.count; i++)
        if (use->values.items[i].name.text == attribute)
            return use->values.items[i].value;
    return NULL;
}

static void add_feature(FeatureSelection *selection, const FeatureUse *use)
{
    if (use->name.text && !selection_has(selection, use->name.text))
        VEC_PUSH(&selection->features, *use);
}

ProductDecl *selection_find_product(const Model *model, const char *name)
{
    for (uint32_t i = 0; i < model->products.count; i++)
        if (model->products.items[i]->name.text == name)
            return model->products.items[i];
    return NULL;
}

/* ---- Expressions ------------------------------------------------------------------------ */

static void report_unknown(Model *model, const Name *name)
{
    Text known = {0};
    for (uint32_t i = 0; i < model->products.count; i++)
        text_add(&known, "%s%s", i ? ", " : "; there are ", model->products.items[i]->name.text);
    diag_add(&model->diags, DIAG_ERROR, name->pos, name->length, "product '%s' is not known%s", name->text,
             text_borrow(&known));
    text_release(&known);
}

static bool evaluate_name(Model *model, const Name *name, FeatureSelection *selection)
{
    ProductDecl *product = selection_find_product(model, name->text);
    if (!product) {
        report_unknown(model, name);
        return false;
    }
    if (product->resolving) {
        diag_add(&model->diags, DIAG_ERROR, name->pos, name->length, "product '%s' contains itself", name->text);
        return false;
    }
    product->resolving = true;
    bool good = selection_evaluate(model, product->expr, selection);
    product->resolving = false;
    return good;
}

/* Does the feature stay, given that it is in one side and whether it is in the other? */
static bool is_kept(ProductExprKind kind, bool in_other)
{
    return kind == PRODUCT_OR || (kind == PRODUCT_AND) == in_other;
}

static bool combine(Model *model, const ProductExpr *expr, FeatureSelection *selection)
{
    FeatureSelection left = {0}, right = {0};
    bool good = selection_evaluate(model, expr->left, &left) && selection_evaluate(model, expr->right, &right);
    for (uint32_t i = 0; i < left.features.count; i++)
        if (is_kept(expr->kind, selection_has(&right, left.features.items[i].name.text)))
            add_feature(selection, &left.features.items[i]);
    for (uint32_t i = 0; expr->kind == PRODUCT_OR && i < right.features.count; i++)
        add_feature(selection, &right.features.items[i]);
    selection_release(&left);
    selection_release(&right);
    return good;
}

bool selection_evaluate(Model *model, const ProductExpr *expr, FeatureSelection *selection)
{
    switch (expr->kind) {
    case PRODUCT_SET:
        for (uint32_t i = 0; i < expr->features.count; i++)
            add_feature(selection, &expr->features.items[i]);
        return true;
    case PRODUCT_NAME: return expr->name.text && evaluate_name(model, &expr->name, selection);
    default: return combine(model, expr, selection);
    }
}

/* ---- Printing --------------------------------------------------------------------------- */

static void print_values(const FeatureUse *use, Text *text)
{
    for (uint32_t i = 0; i < use->values.count; i++) {
        const Expr *value = use->values.items[i].value;
        text_add(text, "%s%s=", i ? ", " : "{", use->values.items[i].name.text);
        if (value->kind == EXPR_STRING)
            text_add(text, "\"%.*s\"", (int)value->string_size, value->string);
        else
            text_add_string(text, value->name.text);
    }
    if (use->values.count)
        text_add_string(text, "}");
}

void selection_print(const FeatureSelection *selection, Text *text)
{
    text_add_string(text, "{");
    for (uint32_t i = 0; i < selection->features.count; i++) {
        text_add(text, "%s%s", i ? ", " : "", selection->features.items[i].name.text);
        print_values(&selection->features.items[i], text);
    }
    text_add_string(text, "}");
}
