/* apply.c - see apply.h */
#include "abs/delta/apply.h"

#include <string.h>

#include "abs/delta/change.h"
#include "abs/delta/features.h"
#include "abs/delta/order.h"
#include "abs/delta/reflection.h"

/* ---- Parameters -------------------------------------------------------------------------- */

static Expr *make_truth(Model *model, const Name *place, bool value)
{
    Expr *expr = arena_zero(&model->arena, sizeof *expr);
    expr->kind = EXPR_CONSTRUCT;
    expr->pos = place->pos;
    expr->length = place->length;
    expr->name = (Name){intern_make(&model->names, value ? "True" : "False", value ? 4 : 5), place->pos, place->length};
    return expr;
}

static const Expr *find_argument(Model *model, const DeltaClause *clause, const DeltaArg *arg,
                                 const FeatureSelection *selection)
{
    if (arg->constant)
        return arg->constant;
    if (!arg->attribute.text)
        return make_truth(model, &arg->feature, selection_has(selection, arg->feature.text));
    const Expr *value = selection_value(selection, arg->feature.text, arg->attribute.text);
    if (!value)
        diag_add(&model->diags, DIAG_ERROR, arg->attribute.pos, arg->attribute.length,
                 "delta '%s' needs the attribute '%s.%s', which the product does not have", clause->delta.text,
                 arg->feature.text, arg->attribute.text);
    return value;
}

/* The values of the parameters; false after an error. */
static bool bind(Model *model, const DeltaDecl *delta, const DeltaClause *clause, const FeatureSelection *selection,
                 DeltaBinding **bindings)
{
    if (delta->class_param.text) {
        diag_add(&model->diags, DIAG_UNSUPPORTED, delta->class_param.pos, delta->class_param.length,
                 "a class as parameter of a delta");
        return false;
    }
    if (delta->params.count != clause->args.count) {
        diag_add(&model->diags, DIAG_ERROR, clause->delta.pos, clause->delta.length,
                 "delta '%s' takes %u argument%s, found %u", delta->name.text, delta->params.count,
                 delta->params.count == 1 ? "" : "s", clause->args.count);
        return false;
    }
    for (uint32_t i = 0; i < clause->args.count; i++) {
        DeltaBinding *binding = arena_zero(&model->arena, sizeof *binding);
        binding->name = delta->params.items[i].name.text;
        binding->value = find_argument(model, clause, &clause->args.items[i], selection);
        binding->next = *bindings;
        *bindings = binding;
        if (!binding->value)
            return false;
    }
    return true;
}

/* ---- Deltas ------------------------------------------------------------------------------ */

static const DeltaDecl *find_delta(const Model *model, const char *name)
{
    for (uint32_t i = 0; i < model->deltas.count; i++)
        if (model->deltas.items[i]->name.text == name)
            return model->deltas.items[i];
    return NULL;
}

static bool apply_clause(Model *model, const DeltaClause *clause, const FeatureSelection *selection)
{
    const DeltaDecl *delta = find_delta(model, clause->delta.text);
    DeltaBinding *bindings = NULL;
    if (!delta) {
        diag_add(&model->diags, DIAG_ERROR, clause->delta.pos, clause->delta.length, "delta '%s' is not known",
                 clause->delta.text);
        return false;
    }
    if (!bind(model, delta, clause, selection, &bindings))
        return false;
    uint32_t errors = model->diags.errors;
    DeltaDecl *copy = parser_copy_delta(model, delta, bindings);
    copy->legacy_new = delta->legacy_new;
    for (uint32_t i = 0; i < copy->ops.count; i++)
        change_module(model, copy, copy->ops.items[i]);
    return model->diags.errors == errors;
}

/* ---- Products ---------------------------------------------------------------------------- */

static bool is_known_feature(const Model *model, const FeatureModel *features, const char *name)
{
    if (feature_model_find(features, name))
        return true;
    for (uint32_t i = 0; i < model->product_lines.count; i++)
        for (uint32_t k = 0; k < model->product_lines.items[i]->features.count; k++)
            if (model->product_lines.items[i]->features.items[k].name.text == name)
                return true;
    return false;
}

static bool check_product(Model *model, const ProductExpr *expr, const FeatureSelection *selection)
{
    FeatureModel features = {0};
    Text why = {0};
    feature_model_init(&features, model);
    bool good = true;
    for (uint32_t i = 0; i < selection->features.count; i++) {
        const Name *name = &selection->features.items[i].name;
        if (is_known_feature(model, &features, name->text))
            continue;
        diag_add(&model->diags, DIAG_ERROR, name->pos, name->length, "feature '%s' is not known", name->text);
        good = false;
    }
    if (good && !feature_model_allows(&features, selection, &why)) {
        const ProductDecl *product = expr->kind == PRODUCT_NAME ? selection_find_product(model, expr->name.text) : NULL;
        const Name *place = product ? &product->name : &expr->name;
        diag_add(&model->diags, DIAG_ERROR, place->pos, place->length ? place->length : 1,
                 "the feature model does not allow this product: %s", text_borrow(&why));
        good = false;
    }
    text_release(&why);
    feature_model_release(&features);
    return good;
}

static bool apply_product(Model *model, const ProductExpr *expr)
{
    FeatureSelection selection = {0};
    DeltaOrder order = {0};
    bool good = selection_evaluate(model, expr, &selection) && check_product(model, expr, &selection) &&
                delta_order(model, &selection, &order);
    for (uint32_t i = 0; good && i < order.count; i++)
        good = apply_clause(model, order.items[i], &selection);
    reflection_add(model, expr->kind == PRODUCT_NAME && expr->name.text ? expr->name.text : "", &selection);
    VEC_FREE(&order);
    selection_release(&selection);
    return good;
}

static void warn_left_out(Model *model)
{
    const Name *first = model->deltas.count ? &model->deltas.items[0]->name : NULL;
    if (!first || !model->product_lines.count)
        return;
    diag_add(&model->diags, DIAG_WARNING, first->pos, first->length,
             "deltas are not applied: this is the core; --product=NAME applies those of a product");
}

void deltas_apply(Model *model)
{
    const char *product = model->reading.product;
    if (!product || !*product) {
        FeatureSelection none = {0};
        warn_left_out(model);
        reflection_add(model, "", &none);
        return;
    }
    ProductExpr *expr = parser_product(model, product);
    if (expr && !apply_product(model, expr))
        model->syntax_errors = true; /* what is missing now would only be reported again */
}
