/* parse_product.c - product lines and products
 *
 * Older releases put the clauses of a product line in braces.
 */
#include <string.h>

#include "abs/syntax/parser_internal.h"

/* ---- Features and constants -------------------------------------------------------------- */

static Expr *new_constant(Parser *p, ExprKind kind)
{
    const Token *token = &p->tokens[p->at];
    Expr *expr = arena_zero(&p->model->arena, sizeof *expr);
    expr->kind = (uint8_t)kind;
    expr->pos = token->pos;
    expr->length = token->length;
    if (kind == EXPR_STRING)
        expr->string = parser_string(p, token, &expr->string_size);
    else
        expr->name = (Name){intern_make(&p->model->names, p->text + (token->pos - p->start), token->length),
                            token->pos, token->length};
    parser_advance(p);
    return expr;
}

/* constant = number | string | True | False; NULL (not reported) if there is none */
static Expr *parse_constant(Parser *p)
{
    const Token *token = &p->tokens[p->at];
    const char *text = p->text + (token->pos - p->start);
    if (parser_at(p, TOKEN_INT))
        return new_constant(p, EXPR_INT);
    if (parser_at(p, TOKEN_STRING))
        return new_constant(p, EXPR_STRING);
    if (parser_at(p, TOKEN_TYPE_NAME) && ((token->length == 4 && memcmp(text, "True", 4) == 0) ||
                                          (token->length == 5 && memcmp(text, "False", 5) == 0)))
        return new_constant(p, EXPR_CONSTRUCT);
    return NULL;
}

static FeatureUse parse_feature_use(Parser *p, const char *context)
{
    FeatureUse use = {.name = parser_type_name(p, context)};
    VEC(AttributeValue) values = {0};
    if (parser_take(p, TOKEN_BRACE_OPEN)) {
        do {
            AttributeValue value = {.name = parser_name(p, "of an attribute")};
            parser_expect(p, TOKEN_ASSIGN, "after the attribute");
            value.value = p->panic ? NULL : parse_constant(p);
            if (!value.value)
                parser_fail(p, "expected a number, a string, True or False");
            VEC_PUSH(&values, value);
        } while (parser_take(p, TOKEN_COMMA));
        parser_expect(p, TOKEN_BRACE_CLOSE, "after the attributes");
    }
    use.values.count = values.count;
    use.values.items = parser_copy(p, values.items, values.count * sizeof(AttributeValue));
    VEC_FREE(&values);
    return use;
}

FeatureUses parse_features(Parser *p, const char *context)
{
    VEC(FeatureUse) list = {0};
    do
        VEC_PUSH(&list, parse_feature_use(p, context));
    while (parser_take(p, TOKEN_COMMA));
    FeatureUses uses = {parser_copy(p, list.items, list.count * sizeof(FeatureUse)), list.count};
    VEC_FREE(&list);
    return uses;
}

/* ---- Product lines ------------------------------------------------------------------------ */

static DeltaArg parse_delta_arg(Parser *p)
{
    DeltaArg arg = {.constant = parse_constant(p)};
    if (arg.constant)
        return arg;
    arg.feature = parser_type_name(p, "of a feature");
    if (parser_take(p, TOKEN_DOT))
        arg.attribute = parser_name(p, "of an attribute");
    return arg;
}

static void parse_delta_args(Parser *p, DeltaClause *clause)
{
    VEC(DeltaArg) list = {0};
    if (!parser_take(p, TOKEN_PAREN_OPEN))
        return;
    if (!parser_at(p, TOKEN_PAREN_CLOSE)) {
        do
            VEC_PUSH(&list, parse_delta_arg(p));
        while (parser_take(p, TOKEN_COMMA));
    }
    parser_expect(p, TOKEN_PAREN_CLOSE, "after the arguments of the delta");
    clause->args.count = list.count;
    clause->args.items = parser_copy(p, list.items, list.count * sizeof(DeltaArg));
    VEC_FREE(&list);
}

/* clause = 'delta' D [ args ] [ 'after' D { ',' D } ] [ 'from' condition ] [ ( 'when' | 'to' ) condition ] ';' */
static DeltaClause *parse_clause(Parser *p)
{
    DeltaClause *clause = arena_zero(&p->model->arena, sizeof *clause);
    parser_advance(p);
    clause->delta = parser_type_name(p, "of a delta");
    parse_delta_args(p, clause);
    if (parser_take_word(p, "after"))
        clause->after = parser_qualified_types(p, "of a delta");
    if (parser_take(p, TOKEN_FROM)) /* only for products that are changed while they run */
        parse_feature_condition(p);
    if (parser_take(p, TOKEN_WHEN) || parser_take_word(p, "to"))
        clause->when = parse_feature_condition(p);
    parser_expect(p, TOKEN_SEMICOLON, "after the clause of the delta");
    return clause;
}

static void check_features(Parser *p, const FeatureUses *features)
{
    for (uint32_t i = 0; i < features->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (features->items[i].name.text && features->items[k].name.text == features->items[i].name.text) {
                const Name *name = &features->items[i].name;
                diag_add(&p->model->diags, DIAG_ERROR, name->pos, name->length, "feature '%s' is listed twice",
                         name->text);
            }
}

/* line = 'productline' T ( ';' | '{' ) 'features' F { ',' F } ';' { clause } [ '}' ] */
static void parse_line(Parser *p)
{
    ProductLineDecl *line = arena_zero(&p->model->arena, sizeof *line);
    uint32_t mark = p->scratch.count;
    parser_advance(p);
    line->name = parser_type_name(p, "of the product line");
    bool braces = parser_take(p, TOKEN_BRACE_OPEN);
    if (!braces)
        parser_expect(p, TOKEN_SEMICOLON, "after the name of the product line");
    if (parser_take_word(p, "features")) {
        line->features = parse_features(p, "of a feature");
        check_features(p, &line->features);
        parser_expect(p, TOKEN_SEMICOLON, "after the features");
    }
    while (!p->panic && parser_at(p, TOKEN_DELTA))
        parser_push(p, parse_clause(p));
    if (braces)
        parser_expect(p, TOKEN_BRACE_CLOSE, "after the clauses of the product line");
    line->clauses.items = parser_pop_pointers(p, mark, &line->clauses.count);
    VEC_PUSH(&p->model->product_lines, line);
}

/* ---- Products ----------------------------------------------------------------------------- */

static ProductExpr *parse_product_expr(Parser *p);

static ProductExpr *new_product_expr(Parser *p, ProductExprKind kind)
{
    ProductExpr *expr = arena_zero(&p->model->arena, sizeof *expr);
    expr->kind = kind;
    expr->name = (Name){NULL, p->tokens[p->at].pos, p->tokens[p->at].length};
    return expr;
}

static ProductExpr *parse_product_atom(Parser *p)
{
    if (parser_at(p, TOKEN_BRACE_OPEN)) {
        ProductExpr *expr = new_product_expr(p, PRODUCT_SET);
        parser_advance(p);
        if (!parser_at(p, TOKEN_BRACE_CLOSE))
            expr->features = parse_features(p, "of a feature");
        parser_expect(p, TOKEN_BRACE_CLOSE, "after the features");
        return expr;
    }
    if (parser_at(p, TOKEN_PAREN_OPEN) && parser_enter(p)) {
        parser_advance(p);
        ProductExpr *expr = parse_product_expr(p);
        parser_expect(p, TOKEN_PAREN_CLOSE, "after the product");
        parser_leave(p);
        return expr;
    }
    ProductExpr *expr = new_product_expr(p, PRODUCT_NAME);
    expr->name = parser_type_name(p, "of a product");
    return expr;
}

/* Operators from the one that binds most tightly on: && || - */
static ProductExpr *parse_product_level(Parser *p, unsigned level)
{
    static const TokenKind tokens[] = {TOKEN_AND, TOKEN_OR, TOKEN_MINUS};
    if (level == 0)
        return parse_product_atom(p);
    ProductExpr *left = parse_product_level(p, level - 1);
    while (parser_take(p, tokens[level - 1])) {
        ProductExpr *expr = new_product_expr(p, (ProductExprKind)(PRODUCT_AND + level - 1));
        expr->left = left;
        expr->right = parse_product_level(p, level - 1);
        left = expr;
    }
    return left;
}

static ProductExpr *parse_product_expr(Parser *p)
{
    return parse_product_level(p, 3);
}

/* product = 'product' T ( '(' [ F { ',' F } ] ')' | '=' expr ) ';' */
static void parse_product(Parser *p)
{
    ProductDecl *product = arena_zero(&p->model->arena, sizeof *product);
    parser_advance(p);
    product->name = parser_type_name(p, "of the product");
    if (parser_take(p, TOKEN_PAREN_OPEN)) {
        product->expr = new_product_expr(p, PRODUCT_SET);
        if (!parser_at(p, TOKEN_PAREN_CLOSE))
            product->expr->features = parse_features(p, "of a feature");
        parser_expect(p, TOKEN_PAREN_CLOSE, "after the features");
    } else {
        parser_expect(p, TOKEN_ASSIGN, "or '(' after the name of the product");
        product->expr = parse_product_expr(p);
    }
    parser_expect(p, TOKEN_SEMICOLON, "after the product");
    if (product->name.text && !p->panic)
        VEC_PUSH(&p->model->products, product);
}

ProductExpr *parser_product(Model *model, const char *text)
{
    uint32_t errors = model->diags.errors;
    Parser parser;
    parser_open(&parser, model, source_add_text(&model->sources, "--product", text, strlen(text), false));
    ProductExpr *expr = parse_product_expr(&parser);
    if (!parser_at(&parser, TOKEN_END))
        parser_fail(&parser, "expected the end of the product");
    VEC_FREE(&parser.scratch);
    return model->diags.errors == errors ? expr : NULL;
}

/* ---- All of them --------------------------------------------------------------------------- */

static bool at_product_line(const Parser *p)
{
    TokenKind kind = parser_kind(p);
    return (kind == TOKEN_DELTA || kind == TOKEN_PRODUCTLINE || kind == TOKEN_PRODUCT || kind == TOKEN_ROOT ||
            kind == TOKEN_EXTENSION) && parser_peek(p, 1) == TOKEN_TYPE_NAME;
}

static void recover(Parser *p)
{
    p->panic = false;
    while (!parser_at(p, TOKEN_END) && !parser_at(p, TOKEN_MODULE) && !at_product_line(p))
        parser_advance(p);
}

bool parse_product_line(Parser *p)
{
    if (!at_product_line(p))
        return false;
    switch (parser_kind(p)) {
    case TOKEN_DELTA: parse_delta(p); break;
    case TOKEN_PRODUCTLINE: parse_line(p); break;
    case TOKEN_PRODUCT: parse_product(p); break;
    default: parse_feature_tree(p); break;
    }
    if (p->panic)
        recover(p);
    return true;
}
