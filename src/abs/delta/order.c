/* order.c - see order.h */
#include "abs/delta/order.h"

/* Conditions of clauses speak of the features that the product names. */
static bool holds(const FeatureCondition *condition, const FeatureSelection *selection)
{
    switch (condition->kind) {
    case CONDITION_FEATURE: return selection_has(selection, condition->name.text);
    case CONDITION_NOT: return !holds(condition->left, selection);
    case CONDITION_AND: return holds(condition->left, selection) && holds(condition->right, selection);
    case CONDITION_OR: return holds(condition->left, selection) || holds(condition->right, selection);
    case CONDITION_IMPLIES: return !holds(condition->left, selection) || holds(condition->right, selection);
    case CONDITION_SAME: return holds(condition->left, selection) == holds(condition->right, selection);
    default: return false;
    }
}

static bool is_logical(const FeatureCondition *condition)
{
    switch (condition->kind) {
    case CONDITION_FEATURE: return true;
    case CONDITION_NOT: return is_logical(condition->left);
    case CONDITION_AND:
    case CONDITION_OR:
    case CONDITION_IMPLIES:
    case CONDITION_SAME: return is_logical(condition->left) && is_logical(condition->right);
    default: return false;
    }
}

/* ---- Order ---------------------------------------------------------------------------------- */

static bool has_delta(const DeltaOrder *clauses, const char *delta)
{
    for (uint32_t i = 0; i < clauses->count; i++)
        if (clauses->items[i] && clauses->items[i]->delta.text == delta)
            return true;
    return false;
}

/* Does the clause wait for a delta that has not been applied yet? */
static bool waits(const DeltaClause *clause, const DeltaOrder *left)
{
    for (uint32_t i = 0; i < clause->after.count; i++)
        if (has_delta(left, clause->after.items[i].text))
            return true;
    return false;
}

/* Moves the first clause that need not wait; false if there is none. */
static bool take_next(DeltaOrder *left, DeltaOrder *order)
{
    for (uint32_t i = 0; i < left->count; i++) {
        if (!left->items[i] || waits(left->items[i], left))
            continue;
        VEC_PUSH(order, left->items[i]);
        left->items[i] = NULL;
        return true;
    }
    return false;
}

static void report_cycle(Model *model, const DeltaOrder *left)
{
    for (uint32_t i = 0; i < left->count; i++)
        if (left->items[i])
            diag_add(&model->diags, DIAG_ERROR, left->items[i]->delta.pos, left->items[i]->delta.length,
                     "delta '%s' comes after deltas that come after it", left->items[i]->delta.text);
}

static bool collect(Model *model, const ProductLineDecl *line, const FeatureSelection *selection, DeltaOrder *clauses)
{
    bool good = true;
    for (uint32_t i = 0; i < line->clauses.count; i++) {
        const DeltaClause *clause = line->clauses.items[i];
        if (!clause->delta.text)
            continue;
        if (clause->when && !is_logical(clause->when)) {
            diag_add(&model->diags, DIAG_UNSUPPORTED, clause->when->name.pos, 1,
                     "a condition of a delta on values of attributes");
            good = false;
        } else if ((!clause->when || holds(clause->when, selection)) && !has_delta(clauses, clause->delta.text)) {
            VEC_PUSH(clauses, clause);
        }
    }
    return good;
}

bool delta_order(Model *model, const FeatureSelection *selection, DeltaOrder *order)
{
    DeltaOrder left = {0};
    bool good = true;
    for (uint32_t i = 0; i < model->product_lines.count; i++)
        good &= collect(model, model->product_lines.items[i], selection, &left);
    uint32_t count = left.count;
    while (good && order->count < count && take_next(&left, order))
        ;
    if (good && order->count < count) {
        report_cycle(model, &left);
        good = false;
    }
    VEC_FREE(&left);
    return good;
}
