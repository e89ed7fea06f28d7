/* features.c - see features.h */
#include "abs/delta/features.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- The tree ---------------------------------------------------------------------------- */

static void add_tree(FeatureModel *features, const FeatureDecl *feature)
{
    if (feature->is_extension)
        VEC_PUSH(&features->extensions, feature);
    else
        VEC_PUSH(&features->features, feature);
    for (uint32_t i = 0; i < feature->groups.count; i++)
        for (uint32_t k = 0; k < feature->groups.items[i]->children.count; k++)
            add_tree(features, feature->groups.items[i]->children.items[k]);
}

void feature_model_init(FeatureModel *features, const Model *model)
{
    for (uint32_t i = 0; i < model->features.count; i++)
        add_tree(features, model->features.items[i]);
}

void feature_model_release(FeatureModel *features)
{
    VEC_FREE(&features->features);
    VEC_FREE(&features->extensions);
}

const FeatureDecl *feature_model_find(const FeatureModel *features, const char *name)
{
    for (uint32_t i = 0; i < features->features.count; i++)
        if (features->features.items[i]->name.text == name)
            return features->features.items[i];
    return NULL;
}

/* ---- What is part of a product -------------------------------------------------------------- */

/* One check of one product. */
typedef struct Audit {
    const FeatureModel *features;
    const FeatureSelection *selection;
    bool *in;   /* by feature: is it part of the product? */
    Text *why;
    bool good;
} Audit;

static bool is_in(const Audit *audit, const char *name)
{
    for (uint32_t i = 0; i < audit->features->features.count; i++)
        if (audit->features->features.items[i]->name.text == name)
            return audit->in[i];
    return selection_has(audit->selection, name);
}

/* Adds the features that are implied by the group below `owner`; true if there are new ones. */
static bool imply_group(Audit *audit, const char *owner, const FeatureGroup *group)
{
    bool changed = false, owner_in = is_in(audit, owner);
    for (uint32_t i = 0; i < audit->features->features.count; i++) {
        const FeatureDecl *feature = audit->features->features.items[i];
        if (feature->name.text == owner && !audit->in[i])
            for (uint32_t k = 0; k < group->children.count && !audit->in[i]; k++)
                changed |= audit->in[i] = is_in(audit, group->children.items[k]->name.text);
        for (uint32_t k = 0; k < group->children.count; k++)
            if (feature == group->children.items[k] && owner_in && group->all && !feature->optional &&
                feature->groups.count && !audit->in[i])
                changed = audit->in[i] = true;
    }
    return changed;
}

static bool imply_round(Audit *audit)
{
    bool changed = false;
    for (uint32_t i = 0; i < audit->features->features.count; i++) {
        const FeatureDecl *feature = audit->features->features.items[i];
        for (uint32_t k = 0; k < feature->groups.count; k++)
            changed |= imply_group(audit, feature->name.text, feature->groups.items[k]);
    }
    for (uint32_t i = 0; i < audit->features->extensions.count; i++) {
        const FeatureDecl *feature = audit->features->extensions.items[i];
        for (uint32_t k = 0; k < feature->groups.count; k++)
            changed |= imply_group(audit, feature->name.text, feature->groups.items[k]);
    }
    return changed;
}

static void find_features(Audit *audit)
{
    for (uint32_t i = 0; i < audit->features->features.count; i++)
        audit->in[i] = audit->features->features.items[i]->is_root ||
                       selection_has(audit->selection, audit->features->features.items[i]->name.text);
    while (imply_round(audit))
        ;
}

/* ---- Conditions ----------------------------------------------------------------------------- */

typedef struct FeatureReading {
    bool known;
    int64_t value;
} FeatureReading;

static FeatureReading known(int64_t value)
{
    return (FeatureReading){true, value};
}

static FeatureReading read_value(const Expr *value)
{
    if (!value || value->kind == EXPR_STRING)
        return (FeatureReading){0};
    if (value->kind == EXPR_CONSTRUCT)
        return known(strcmp(value->name.text, "True") == 0);
    return strlen(value->name.text) < 18 ? known(strtoll(value->name.text, NULL, 10)) : (FeatureReading){0};
}

/* `a` of the feature that has the constraint, or `F.a`. */
static FeatureReading read_attribute(const Audit *audit, const char *owner, const char *name)
{
    const char *attribute = name_last_part(name);
    for (uint32_t i = 0; i < audit->selection->features.count; i++) {
        const FeatureUse *use = &audit->selection->features.items[i];
        size_t length = strlen(use->name.text);
        bool meant = attribute == name ? use->name.text == owner
                                       : strncmp(use->name.text, name, length) == 0 && name + length + 1 == attribute;
        for (uint32_t k = 0; meant && k < use->values.count; k++)
            if (strcmp(use->values.items[k].name.text, attribute) == 0)
                return read_value(use->values.items[k].value);
    }
    return (FeatureReading){0};
}

static FeatureReading read_condition(const Audit *audit, const char *owner, const FeatureCondition *condition);

static FeatureReading combine_numbers(ConditionKind kind, int64_t a, int64_t b)
{
    int64_t result = 0;
    switch (kind) {
    case CONDITION_EQ:
    case CONDITION_SAME: return known(a == b);
    case CONDITION_NE: return known(a != b);
    case CONDITION_LT: return known(a < b);
    case CONDITION_LE: return known(a <= b);
    case CONDITION_GT: return known(a > b);
    case CONDITION_GE: return known(a >= b);
    case CONDITION_ADD: return __builtin_add_overflow(a, b, &result) ? (FeatureReading){0} : known(result);
    case CONDITION_SUB: return __builtin_sub_overflow(a, b, &result) ? (FeatureReading){0} : known(result);
    case CONDITION_MUL: return __builtin_mul_overflow(a, b, &result) ? (FeatureReading){0} : known(result);
    case CONDITION_DIV: return b == 0 || b == -1 ? (FeatureReading){0} : known(a / b);
    case CONDITION_MOD: return b == 0 || b == -1 ? (FeatureReading){0} : known(a % b);
    default: return (FeatureReading){0};
    }
}

/* One side may decide although the other is not known. */
static FeatureReading combine_truths(ConditionKind kind, FeatureReading a, FeatureReading b)
{
    if (kind == CONDITION_IMPLIES && a.known)
        a.value = !a.value;
    bool decides = kind != CONDITION_AND;
    if ((a.known && (a.value != 0) == decides) || (b.known && (b.value != 0) == decides))
        return known(decides);
    return a.known && b.known ? known(!decides) : (FeatureReading){0};
}

static FeatureReading read_condition(const Audit *audit, const char *owner, const FeatureCondition *condition)
{
    switch (condition->kind) {
    case CONDITION_FEATURE: return known(is_in(audit, condition->name.text));
    case CONDITION_ATTRIBUTE: return read_attribute(audit, owner, condition->name.text);
    case CONDITION_NUMBER: return known(condition->number);
    default: break;
    }
    FeatureReading left = read_condition(audit, owner, condition->left);
    if (condition->kind == CONDITION_NOT)
        return left.known ? known(!left.value) : left;
    if (condition->kind == CONDITION_NEGATE)
        return left.known ? combine_numbers(CONDITION_SUB, 0, left.value) : left;
    FeatureReading right = read_condition(audit, owner, condition->right);
    if (condition->kind == CONDITION_AND || condition->kind == CONDITION_OR || condition->kind == CONDITION_IMPLIES)
        return combine_truths(condition->kind, left, right);
    return left.known && right.known ? combine_numbers(condition->kind, left.value, right.value) : (FeatureReading){0};
}

/* ---- Rules ---------------------------------------------------------------------------------- */

static void refuse(Audit *audit, const char *format, const char *first, const char *second)
{
    if (audit->why && audit->good)
        text_add(audit->why, format, first, second);
    audit->good = false;
}

static void audit_group(Audit *audit, const char *owner, const FeatureGroup *group)
{
    int64_t count = 0;
    for (uint32_t i = 0; i < group->children.count; i++) {
        const FeatureDecl *child = group->children.items[i];
        bool in = is_in(audit, child->name.text);
        count += in;
        if (group->all && !child->optional && !in)
            refuse(audit, "feature '%s' needs feature '%s'", owner, child->name.text);
    }
    if (!group->all && (count < group->lower || (!group->unbounded && count > group->upper)))
        refuse(audit, "%s features of the group of '%s' are selected", count < group->lower ? "too few" : "too many",
               owner);
}

static bool fits_domain(const AttributeDecl *attribute, int64_t value)
{
    for (uint32_t i = 0; i < attribute->allowed.count; i++)
        if (attribute->allowed.items[i] == value)
            return true;
    return !attribute->allowed.count && (!attribute->has_lower || value >= attribute->lower) &&
           (!attribute->has_upper || value <= attribute->upper);
}

static void audit_constraint(Audit *audit, const char *owner, bool in, const Constraint *constraint)
{
    FeatureReading reading;
    switch (constraint->kind) {
    case CONSTRAINT_REQUIRE:
        if (in && !is_in(audit, constraint->feature.text))
            refuse(audit, "feature '%s' requires feature '%s'", owner, constraint->feature.text);
        break;
    case CONSTRAINT_EXCLUDE:
        if (in && is_in(audit, constraint->feature.text))
            refuse(audit, "feature '%s' excludes feature '%s'", owner, constraint->feature.text);
        break;
    default:
        if (in != (constraint->kind == CONSTRAINT_IFIN))
            break;
        reading = read_condition(audit, owner, constraint->condition);
        if (reading.known && !reading.value)
            refuse(audit, "a condition of feature '%s' (%s) does not hold", owner, in ? "ifin" : "ifout");
    }
}

static void audit_feature(Audit *audit, const FeatureDecl *feature)
{
    const char *name = feature->name.text;
    bool in = is_in(audit, name);
    for (uint32_t i = 0; in && i < feature->groups.count; i++)
        audit_group(audit, name, feature->groups.items[i]);
    for (uint32_t i = 0; in && i < feature->attributes.count; i++) {
        FeatureReading value = read_attribute(audit, name, feature->attributes.items[i]->name.text);
        if (value.known && !fits_domain(feature->attributes.items[i], value.value))
            refuse(audit, "the value of attribute '%s.%s' is not allowed", name,
                   feature->attributes.items[i]->name.text);
    }
    for (uint32_t i = 0; i < feature->constraints.count; i++)
        audit_constraint(audit, name, in, feature->constraints.items[i]);
}

bool feature_model_allows(const FeatureModel *features, const FeatureSelection *selection, Text *why)
{
    Audit audit = {.features = features, .selection = selection, .why = why, .good = true};
    if (!features->features.count)
        return true;
    audit.in = mem_alloc(features->features.count * sizeof *audit.in);
    find_features(&audit);
    for (uint32_t i = 0; i < selection->features.count; i++)
        if (!feature_model_find(features, selection->features.items[i].name.text))
            refuse(&audit, "feature '%s' is not in the feature model%s", selection->features.items[i].name.text, "");
    for (uint32_t i = 0; i < features->features.count; i++)
        audit_feature(&audit, features->features.items[i]);
    for (uint32_t i = 0; i < features->extensions.count; i++)
        audit_feature(&audit, features->extensions.items[i]);
    free(audit.in);
    return audit.good;
}
