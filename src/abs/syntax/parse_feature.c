/* parse_feature.c - feature models, and conditions on features */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abs/syntax/parser_internal.h"

/* ---- Conditions -------------------------------------------------------------------------- */

enum { UNARY_LEVEL = 7 };

/* An operator of two operands: its tokens, and how tightly it binds; longer ones first. */
static const struct {
    ConditionKind kind;
    unsigned level, count;
    TokenKind tokens[3];
} OPERATORS[] = {
    {CONDITION_SAME, 3, 3, {TOKEN_LESS, TOKEN_MINUS, TOKEN_GREATER}},
    {CONDITION_IMPLIES, 3, 2, {TOKEN_MINUS, TOKEN_GREATER}},
    {CONDITION_OR, 1, 1, {TOKEN_OR}},
    {CONDITION_AND, 2, 1, {TOKEN_AND}},
    {CONDITION_EQ, 4, 1, {TOKEN_EQUAL}},
    {CONDITION_NE, 4, 1, {TOKEN_UNEQUAL}},
    {CONDITION_LT, 5, 1, {TOKEN_LESS}},
    {CONDITION_LE, 5, 1, {TOKEN_LESS_EQUAL}},
    {CONDITION_GT, 5, 1, {TOKEN_GREATER}},
    {CONDITION_GE, 5, 1, {TOKEN_GREATER_EQUAL}},
    {CONDITION_ADD, 6, 1, {TOKEN_PLUS}},
    {CONDITION_SUB, 6, 1, {TOKEN_MINUS}},
    {CONDITION_MUL, 7, 1, {TOKEN_TIMES}},
    {CONDITION_DIV, 7, 1, {TOKEN_DIVIDE}},
    {CONDITION_MOD, 7, 1, {TOKEN_MODULO}},
};

static FeatureCondition *parse_level(Parser *p, unsigned level);

static FeatureCondition *new_condition(Parser *p, ConditionKind kind)
{
    FeatureCondition *condition = arena_zero(&p->model->arena, sizeof *condition);
    condition->kind = kind;
    condition->name = (Name){NULL, p->tokens[p->at].pos, p->tokens[p->at].length};
    return condition;
}

static int64_t read_number(Parser *p)
{
    char digits[24] = "";
    const Token *token = &p->tokens[p->at];
    if (token->length < sizeof digits)
        memcpy(digits, p->text + (token->pos - p->start), token->length);
    errno = 0;
    int64_t number = strtoll(digits, NULL, 10);
    if (!*digits || errno)
        parser_fail(p, "this number is too large here");
    parser_advance(p);
    return number;
}

int64_t parse_number(Parser *p, const char *context)
{
    bool negative = parser_take(p, TOKEN_MINUS);
    if (p->panic || !parser_at(p, TOKEN_INT)) {
        parser_fail(p, "expected a number %s", context);
        return 0;
    }
    int64_t number = read_number(p);
    return negative ? -number : number;
}

static FeatureCondition *parse_name(Parser *p)
{
    FeatureCondition *condition = new_condition(p, CONDITION_ATTRIBUTE);
    bool is_feature = parser_at(p, TOKEN_TYPE_NAME) && parser_peek(p, 1) != TOKEN_DOT;
    condition->name = parser_qualified_any(p, "of a feature or an attribute");
    if (is_feature)
        condition->kind = CONDITION_FEATURE;
    return condition;
}

static FeatureCondition *parse_unary(Parser *p)
{
    FeatureCondition *condition = new_condition(p, parser_at(p, TOKEN_MINUS) ? CONDITION_NEGATE : CONDITION_NOT);
    if (!parser_enter(p)) {
        parser_leave(p);
        return condition;
    }
    if (parser_take(p, TOKEN_MINUS) || parser_take(p, TOKEN_BANG) || parser_take(p, TOKEN_TILDE)) {
        condition->left = parse_unary(p);
    } else if (parser_take(p, TOKEN_PAREN_OPEN)) {
        condition = parse_level(p, 1);
        parser_expect(p, TOKEN_PAREN_CLOSE, "after the condition");
    } else if (parser_at(p, TOKEN_INT)) {
        condition->kind = CONDITION_NUMBER;
        condition->number = read_number(p);
    } else {
        condition = parse_name(p);
    }
    parser_leave(p);
    return condition;
}

/* The operator of this level at the current token, or -1. */
static int find_operator(const Parser *p, unsigned level)
{
    for (unsigned i = 0; i < sizeof OPERATORS / sizeof OPERATORS[0]; i++) {
        unsigned k = 0;
        while (k < OPERATORS[i].count && parser_peek(p, k) == OPERATORS[i].tokens[k])
            k++;
        if (k == OPERATORS[i].count)
            return OPERATORS[i].level == level ? (int)i : -1;
    }
    return -1;
}

static FeatureCondition *parse_level(Parser *p, unsigned level)
{
    FeatureCondition *left = level > UNARY_LEVEL ? parse_unary(p) : parse_level(p, level + 1);
    for (int found; level <= UNARY_LEVEL && !p->panic && (found = find_operator(p, level)) >= 0;) {
        FeatureCondition *condition = new_condition(p, OPERATORS[found].kind);
        for (unsigned i = 0; i < OPERATORS[found].count; i++)
            parser_advance(p);
        condition->left = left;
        condition->right = parse_level(p, level + 1);
        left = condition;
    }
    return left;
}

FeatureCondition *parse_feature_condition(Parser *p)
{
    return parse_level(p, 1);
}

/* ---- Features ----------------------------------------------------------------------------- */

typedef struct FeatureParts {
    VEC(FeatureGroup *) groups;
    VEC(AttributeDecl *) attributes;
    VEC(Constraint *) constraints;
} FeatureParts;

static FeatureDecl *parse_feature(Parser *p, FeatureDecl *parent);

/* '*', or a number: true if there is a bound */
static bool parse_bound(Parser *p, int64_t *number)
{
    if (parser_take(p, TOKEN_TIMES))
        return false;
    *number = parse_number(p, "or '*' as bound");
    return true;
}

/* '[' bound '..' bound ']' */
static void parse_range(Parser *p, bool *has_lower, int64_t *lower, bool *has_upper, int64_t *upper)
{
    parser_expect(p, TOKEN_BRACKET_OPEN, "before the range");
    *has_lower = parse_bound(p, lower);
    parser_expect(p, TOKEN_DOT, "between the bounds");
    parser_expect(p, TOKEN_DOT, "between the bounds");
    *has_upper = parse_bound(p, upper);
    parser_expect(p, TOKEN_BRACKET_CLOSE, "after the range");
}

/* group = 'group' ( 'oneof' | 'allof' | range ) '{' [ 'opt' ] feature { ',' [ 'opt' ] feature } '}' */
static FeatureGroup *parse_group(Parser *p, FeatureDecl *feature)
{
    FeatureGroup *group = arena_zero(&p->model->arena, sizeof *group);
    uint32_t mark = p->scratch.count;
    bool has_lower, has_upper = true;
    if (parser_take_word(p, "oneof"))
        group->lower = group->upper = 1;
    else if (parser_take_word(p, "allof"))
        group->all = true;
    else
        parse_range(p, &has_lower, &group->lower, &has_upper, &group->upper);
    group->unbounded = !has_upper;
    parser_expect(p, TOKEN_BRACE_OPEN, "before the features of the group");
    do {
        bool optional = parser_take_word(p, "opt");
        FeatureDecl *child = parse_feature(p, feature);
        child->optional = optional;
        parser_push(p, child);
    } while (parser_take(p, TOKEN_COMMA));
    parser_expect(p, TOKEN_BRACE_CLOSE, "after the features of the group");
    group->children.items = parser_pop_pointers(p, mark, &group->children.count);
    return group;
}

static void parse_allowed(Parser *p, AttributeDecl *attribute)
{
    VEC(int64_t) values = {0};
    parser_advance(p);
    do
        VEC_PUSH(&values, parse_number(p, "as value of the attribute"));
    while (parser_take(p, TOKEN_COMMA));
    parser_expect(p, TOKEN_BRACE_CLOSE, "after the values");
    attribute->allowed.count = values.count;
    attribute->allowed.items = parser_copy(p, values.items, values.count * sizeof(int64_t));
    VEC_FREE(&values);
}

/* attribute = T [ range ] a [ 'in' ( range | '{' number { ',' number } '}' ) ] ';' */
static AttributeDecl *parse_attribute(Parser *p)
{
    AttributeDecl *attribute = arena_zero(&p->model->arena, sizeof *attribute);
    attribute->type = parser_type_name(p, "of an attribute's type");
    if (parser_at(p, TOKEN_BRACKET_OPEN))
        parse_range(p, &attribute->has_lower, &attribute->lower, &attribute->has_upper, &attribute->upper);
    attribute->name = parser_name(p, "of the attribute");
    if (parser_take(p, TOKEN_IN)) {
        if (parser_at(p, TOKEN_BRACE_OPEN))
            parse_allowed(p, attribute);
        else
            parse_range(p, &attribute->has_lower, &attribute->lower, &attribute->has_upper, &attribute->upper);
    }
    parser_expect(p, TOKEN_SEMICOLON, "after the attribute");
    return attribute;
}

static bool at_attribute(const Parser *p)
{
    return parser_at(p, TOKEN_TYPE_NAME) &&
           (token_is_name(parser_peek(p, 1)) || parser_peek(p, 1) == TOKEN_BRACKET_OPEN);
}

/* constraint = [ 'ifin' ':' | 'ifout' ':' ] condition ';' | ( 'require' | 'exclude' ) ':' F ';' */
static Constraint *parse_constraint(Parser *p)
{
    Constraint *constraint = arena_zero(&p->model->arena, sizeof *constraint);
    bool named = true;
    constraint->pos = p->tokens[p->at].pos;
    if (parser_take_word(p, "require"))
        constraint->kind = CONSTRAINT_REQUIRE;
    else if (parser_take_word(p, "exclude"))
        constraint->kind = CONSTRAINT_EXCLUDE;
    else if (parser_take_word(p, "ifout"))
        constraint->kind = CONSTRAINT_IFOUT;
    else
        named = parser_take_word(p, "ifin");
    if (named)
        parser_expect(p, TOKEN_COLON, "after this word");
    if (constraint->kind >= CONSTRAINT_REQUIRE)
        constraint->feature = parser_type_name(p, "of a feature");
    else
        constraint->condition = parse_feature_condition(p);
    parser_expect(p, TOKEN_SEMICOLON, "after the constraint");
    return constraint;
}

static void parse_feature_body(Parser *p, FeatureDecl *feature)
{
    FeatureParts parts = {0};
    while (!p->panic && !parser_at(p, TOKEN_BRACE_CLOSE) && !parser_at(p, TOKEN_END)) {
        if (parser_take_word(p, "group"))
            VEC_PUSH(&parts.groups, parse_group(p, feature));
        else if (at_attribute(p))
            VEC_PUSH(&parts.attributes, parse_attribute(p));
        else
            VEC_PUSH(&parts.constraints, parse_constraint(p));
    }
    parser_expect(p, TOKEN_BRACE_CLOSE, "after the parts of the feature");
    feature->groups.count = parts.groups.count;
    feature->groups.items = parser_copy(p, parts.groups.items, parts.groups.count * sizeof(FeatureGroup *));
    feature->attributes.count = parts.attributes.count;
    feature->attributes.items =
        parser_copy(p, parts.attributes.items, parts.attributes.count * sizeof(AttributeDecl *));
    feature->constraints.count = parts.constraints.count;
    feature->constraints.items =
        parser_copy(p, parts.constraints.items, parts.constraints.count * sizeof(Constraint *));
    VEC_FREE(&parts.groups);
    VEC_FREE(&parts.attributes);
    VEC_FREE(&parts.constraints);
}

/* feature = F [ '{' { group | attribute | constraint } '}' ] */
static FeatureDecl *parse_feature(Parser *p, FeatureDecl *parent)
{
    FeatureDecl *feature = arena_zero(&p->model->arena, sizeof *feature);
    feature->parent = parent;
    if (parser_enter(p)) {
        feature->name = parser_type_name(p, "of a feature");
        if (parser_take(p, TOKEN_BRACE_OPEN))
            parse_feature_body(p, feature);
    }
    parser_leave(p);
    return feature;
}

void parse_feature_tree(Parser *p)
{
    bool is_root = parser_at(p, TOKEN_ROOT);
    parser_advance(p);
    FeatureDecl *feature = parse_feature(p, NULL);
    feature->is_root = is_root;
    feature->is_extension = !is_root;
    VEC_PUSH(&p->model->features, feature);
}
