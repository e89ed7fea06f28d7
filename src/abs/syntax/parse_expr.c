/* parse_expr.c - expressions, pure ones and those with effects
 *
 * The checker decides where effects are allowed: here they parse like any other expression, so that a misplaced one
 * gets a specific message.
 */
#include "abs/syntax/parser_internal.h"

static Expr *parse_unary(Parser *p);

/* ---- Nodes ------------------------------------------------------------------ */

static Expr *new_expr(Parser *p, ExprKind kind, const Token *token)
{
    Expr *expr = arena_zero(&p->model->arena, sizeof *expr);
    expr->kind = (uint8_t)kind;
    expr->pos = token->pos;
    expr->length = token->length;
    return expr;
}

static const Token *here(const Parser *p)
{
    return &p->tokens[p->at];
}

static void raise_height(uint32_t *height, const Expr *part)
{
    if (part && part->depth > *height)
        *height = part->depth;
}

/* Limits the height of the tree, since later traversals recurse. */
static void set_height(Parser *p, Expr *expr)
{
    uint32_t height = 0;
    raise_height(&height, expr->left);
    raise_height(&height, expr->right);
    raise_height(&height, expr->third);
    for (uint32_t i = 0; i < expr->args.count; i++)
        raise_height(&height, expr->args.items[i]);
    for (uint32_t i = 0; i < expr->functions.count; i++)
        raise_height(&height, expr->functions.items[i]);
    for (uint32_t i = 0; i < expr->branches.count; i++)
        raise_height(&height, expr->branches.items[i].expr);
    if (height >= PARSER_MAX_HEIGHT)
        parser_fail_at(p, expr->pos, expr->length, "expression is too long (more than %d operations in a row)",
                       PARSER_MAX_HEIGHT);
    expr->depth = (uint16_t)(height + 1);
}

/* args = [ expr { ',' expr } ] close */
ExprList parse_args(Parser *p, TokenKind close, const char *context)
{
    uint32_t mark = p->scratch.count;
    if (!parser_at(p, close) && !p->panic) {
        do
            parser_push(p, parse_expr(p));
        while (parser_take(p, TOKEN_COMMA));
    }
    parser_expect(p, close, context);
    ExprList list;
    list.items = parser_pop_pointers(p, mark, &list.count);
    return list;
}

/* ---- Primary expressions ------------------------------------------------------ */

/* template = '`text`' | '`text$' expr { '$text$' expr } '$text`' */
static Expr *parse_template(Parser *p)
{
    Expr *expr = new_expr(p, EXPR_TEMPLATE, here(p));
    uint32_t mark = p->scratch.count;
    bool more = parser_at(p, TOKEN_TEMPLATE_HEAD);
    parser_note_modern(p);
    for (;;) {
        const Token *token = here(p);
        Expr *text = new_expr(p, EXPR_STRING, token);
        text->string = parser_string(p, token, &text->string_size);
        parser_push(p, text);
        parser_advance(p);
        if (!more)
            break;
        parser_push(p, parse_expr(p));
        more = parser_at(p, TOKEN_TEMPLATE_MIDDLE);
        if (p->panic || (!more && !parser_at(p, TOKEN_TEMPLATE_TAIL))) {
            parser_fail(p, "expected '$' after the expression in the template string");
            break;
        }
    }
    expr->args.items = parser_pop_pointers(p, mark, &expr->args.count);
    return expr;
}

static Expr *parse_literal(Parser *p, ExprKind kind)
{
    const Token *token = here(p);
    Expr *expr = new_expr(p, kind, token);
    if (kind == EXPR_STRING)
        expr->string = parser_string(p, token, &expr->string_size);
    else
        expr->name = (Name){intern_make(&p->model->names, p->text + (token->pos - p->start), token->length), token->pos,
                            token->length};
    parser_advance(p);
    return expr;
}

/* let = 'let' binding { ',' binding } 'in' expr;  binding = [ '(' ] type x [ ')' ] '=' expr */
static Expr *parse_let(Parser *p)
{
    Expr *expr = new_expr(p, EXPR_LET, here(p));
    VEC(Param) params = {0};
    uint32_t mark = p->scratch.count;
    parser_advance(p);
    do {
        Param param = {0};
        bool parenthesis = parser_take(p, TOKEN_PAREN_OPEN);
        param.type_ref = parse_type(p, "of the variable after 'let'");
        param.name = parser_local_name(p, "after the type");
        if (parenthesis)
            parser_expect(p, TOKEN_PAREN_CLOSE, "after the variable");
        parser_expect(p, TOKEN_ASSIGN, "after the variable");
        VEC_PUSH(&params, param);
        parser_push(p, parse_expr(p));
    } while (parser_take(p, TOKEN_COMMA));
    parser_expect(p, TOKEN_IN, "after the bindings of 'let'");
    expr->args.items = parser_pop_pointers(p, mark, &expr->args.count);
    expr->params.count = params.count;
    expr->params.items = parser_copy(p, params.items, params.count * sizeof(Param));
    VEC_FREE(&params);
    expr->left = parse_expr(p);
    return expr;
}

/* conditional = ( 'if' | 'when' ) expr 'then' expr 'else' expr */
static Expr *parse_conditional(Parser *p)
{
    Expr *expr = new_expr(p, EXPR_IF, here(p));
    parser_advance(p);
    expr->left = parse_expr(p);
    parser_expect(p, TOKEN_THEN, "after the condition");
    expr->right = parse_expr(p);
    parser_expect(p, TOKEN_ELSE, "of the conditional expression");
    expr->third = parse_expr(p);
    return expr;
}

/* case = 'case' expr '{' { [ '|' ] pattern '=>' expr [ ';' | '|' ] } '}' */
static Expr *parse_case(Parser *p)
{
    Expr *expr = new_expr(p, EXPR_CASE, here(p));
    VEC(Branch) branches = {0};
    parser_advance(p);
    expr->left = parse_expr(p);
    parser_expect(p, TOKEN_BRACE_OPEN, "before the branches of 'case'");
    while (!p->panic && !parser_at(p, TOKEN_BRACE_CLOSE)) {
        Branch branch = {0};
        parser_take(p, TOKEN_BAR);
        branch.pattern = parse_pattern(p);
        parser_expect(p, TOKEN_ARROW, "after the pattern");
        branch.expr = parse_expr(p);
        VEC_PUSH(&branches, branch);
        while (parser_take(p, TOKEN_SEMICOLON))
            ;
    }
    parser_expect(p, TOKEN_BRACE_CLOSE, "after the branches of 'case'");
    expr->branches.count = branches.count;
    expr->branches.items = parser_copy(p, branches.items, branches.count * sizeof(Branch));
    VEC_FREE(&branches);
    return expr;
}

/* Is the parenthesis here the parameter list of an anonymous function? */
static bool at_lambda(const Parser *p)
{
    if (!parser_at(p, TOKEN_PAREN_OPEN))
        return false;
    if (parser_peek(p, 1) == TOKEN_PAREN_CLOSE)
        return parser_peek(p, 2) == TOKEN_ARROW;
    uint32_t behind = parser_scan_type(p, p->at + 1);
    return behind && token_is_name((TokenKind)p->tokens[behind].kind) && p->tokens[behind].kind != TOKEN_AS;
}

/* lambda = params '=>' expr */
static Expr *parse_lambda(Parser *p)
{
    Expr *expr = new_expr(p, EXPR_LAMBDA, here(p));
    parser_note_modern(p);
    expr->params = parse_params(p, "of the anonymous function");
    parser_expect(p, TOKEN_ARROW, "after the parameters of the anonymous function");
    expr->left = parse_expr(p);
    return expr;
}

/* call = name args [ args ] | name '[' ... ']' | name */
static Expr *parse_call(Parser *p, Name name, const Token *token, ExprKind kind)
{
    Expr *expr = new_expr(p, kind, token);
    expr->name = name;
    expr->length = name.length;
    if (parser_take(p, TOKEN_PAREN_OPEN)) {
        expr->args = parse_args(p, TOKEN_PAREN_CLOSE, "after the arguments");
        if (kind == EXPR_VARIABLE)
            expr->kind = EXPR_CALL;
        if (expr->kind == EXPR_CALL && parser_take(p, TOKEN_PAREN_OPEN)) {
            expr->functions = expr->args;
            expr->args = parse_args(p, TOKEN_PAREN_CLOSE, "after the arguments");
        }
    } else if (kind == EXPR_VARIABLE && parser_take(p, TOKEN_BRACKET_OPEN)) {
        expr->kind = EXPR_NARY;
        expr->args = parse_args(p, TOKEN_BRACKET_CLOSE, "after the elements");
    }
    return expr;
}

static bool is_hidden(const Parser *p, const Name *name)
{
    for (uint32_t i = 0; i < p->hidden.count; i++)
        if (p->hidden.items[i] == name->text)
            return true;
    return false;
}

/* The value of a parameter of the delta, at the place where its name is; NULL if it is none. */
static Expr *parse_bound(Parser *p, const Token *token, const Name *name)
{
    const DeltaBinding *binding = p->bindings;
    while (binding && binding->name != name->text)
        binding = binding->next;
    if (!binding || is_hidden(p, name) || parser_at(p, TOKEN_PAREN_OPEN) || parser_at(p, TOKEN_BRACKET_OPEN))
        return NULL;
    Expr *expr = new_expr(p, (ExprKind)binding->value->kind, token);
    *expr = *binding->value;
    expr->pos = token->pos;
    expr->length = token->length;
    return expr;
}

static Expr *parse_named(Parser *p)
{
    const Token *token = here(p);
    Name name = parser_qualified_any(p, "");
    Expr *bound = parse_bound(p, token, &name);
    if (bound)
        return bound;
    bool is_type = name.text && *name_last_part(name.text) >= 'A' && *name_last_part(name.text) <= 'Z';
    return parse_call(p, name, token, is_type ? EXPR_CONSTRUCT : EXPR_VARIABLE);
}

/* original = [ ( T | 'core' ) '.' ] 'original' args */
static bool at_original(const Parser *p)
{
    uint32_t i = p->at;
    if (parser_at_word(p, "core") && p->tokens[i + 1].kind == TOKEN_DOT)
        i += 2;
    while (p->tokens[i].kind == TOKEN_TYPE_NAME && p->tokens[i + 1].kind == TOKEN_DOT)
        i += 2;
    return p->tokens[i].kind == TOKEN_ORIGINAL && p->tokens[i + 1].kind == TOKEN_PAREN_OPEN;
}

static Expr *parse_original(Parser *p)
{
    Name delta = {0};
    while (!parser_at(p, TOKEN_ORIGINAL)) {
        delta = parser_at(p, TOKEN_TYPE_NAME) ? parser_type_name(p, "of a delta") : parser_name(p, "of a delta");
        parser_take(p, TOKEN_DOT);
    }
    Expr *expr = new_expr(p, EXPR_ORIGINAL, here(p));
    expr->name = delta;
    parser_advance(p);
    parser_advance(p);
    expr->args = parse_args(p, TOKEN_PAREN_CLOSE, "after the arguments");
    return expr;
}

/* new = 'new' [ 'local' | 'cog' ] T args */
static Expr *parse_new(Parser *p)
{
    Expr *expr = new_expr(p, EXPR_NEW, here(p));
    parser_advance(p);
    if (parser_peek(p, 1) == TOKEN_TYPE_NAME && parser_take(p, TOKEN_LOCAL)) {
        expr->place = NEW_LOCAL;
    } else if (parser_peek(p, 1) == TOKEN_TYPE_NAME && parser_take(p, TOKEN_COG)) {
        expr->place = NEW_COG;
        p->legacy_new = true;
    }
    expr->name = parser_qualified_type(p, "of a class after 'new'");
    parser_expect(p, TOKEN_PAREN_OPEN, "after the class");
    expr->args = parse_args(p, TOKEN_PAREN_CLOSE, "after the arguments");
    return expr;
}

/* await = 'await' unary, which must be an asynchronous call */
static Expr *parse_await(Parser *p)
{
    const Token *token = here(p);
    parser_advance(p);
    Expr *call = parse_unary(p);
    if (call->kind == EXPR_ASYNC)
        call->kind = EXPR_AWAIT;
    else if (call->kind != EXPR_ERROR)
        parser_fail_at(p, token->pos, token->length, "expected an asynchronous call 'o!m(...)' after 'await'");
    return call;
}

static Expr *parse_parenthesised(Parser *p)
{
    parser_advance(p);
    Expr *expr = parse_expr(p);
    parser_expect(p, TOKEN_PAREN_CLOSE, "after the expression");
    return expr;
}

static Expr *parse_keyword(Parser *p, ExprKind kind)
{
    Expr *expr = new_expr(p, kind, here(p));
    parser_advance(p);
    return expr;
}

/* 'this' | 'this' '.' x, unless a call or get follows */
static Expr *parse_this(Parser *p)
{
    bool is_field = parser_peek(p, 1) == TOKEN_DOT && token_is_name(parser_peek(p, 2)) &&
                    parser_peek(p, 2) != TOKEN_GET && parser_peek(p, 3) != TOKEN_PAREN_OPEN;
    Expr *expr = parse_keyword(p, is_field ? EXPR_FIELD : EXPR_THIS);
    if (is_field) {
        parser_advance(p);
        expr->name = parser_name(p, "of a field");
        expr->length = expr->name.pos + expr->name.length - expr->pos;
    }
    return expr;
}

/* Does the word `when` begin a conditional? It may be a variable in old models. */
static bool at_when(const Parser *p)
{
    TokenKind next = parser_peek(p, 1);
    return token_is_name(next) || next == TOKEN_TYPE_NAME || next == TOKEN_INT || next == TOKEN_PAREN_OPEN ||
           next == TOKEN_BANG || next == TOKEN_TILDE || next == TOKEN_THIS || next == TOKEN_CASE || next == TOKEN_IF ||
           next == TOKEN_MINUS || next == TOKEN_STRING || next == TOKEN_NULL_REF || next == TOKEN_FLOAT;
}

static Expr *parse_primary(Parser *p)
{
    switch (parser_kind(p)) {
    case TOKEN_INT: return parse_literal(p, EXPR_INT);
    case TOKEN_FLOAT: return parse_literal(p, EXPR_FLOAT);
    case TOKEN_STRING: return parse_literal(p, EXPR_STRING);
    case TOKEN_TEMPLATE:
    case TOKEN_TEMPLATE_HEAD: return parse_template(p);
    case TOKEN_NULL_REF: return parse_keyword(p, EXPR_NULL);
    case TOKEN_THIS: return parse_this(p);
    case TOKEN_LET: return parse_let(p);
    case TOKEN_IF: return parse_conditional(p);
    case TOKEN_CASE: return parse_case(p);
    case TOKEN_NEW: return parse_new(p);
    case TOKEN_AWAIT: return parse_await(p);
    case TOKEN_PAREN_OPEN: return at_lambda(p) ? parse_lambda(p) : parse_parenthesised(p);
    default: break;
    }
    if (parser_at(p, TOKEN_WHEN) && at_when(p)) {
        parser_note_modern(p);
        return parse_conditional(p);
    }
    if (parser_at(p, TOKEN_DESTINY) && parser_peek(p, 1) != TOKEN_PAREN_OPEN)
        return parse_keyword(p, EXPR_DESTINY);
    if (at_original(p))
        return parse_original(p);
    if (token_is_name(parser_kind(p)) || parser_at(p, TOKEN_TYPE_NAME))
        return parse_named(p);
    parser_fail(p, "expected an expression");
    return new_expr(p, EXPR_ERROR, here(p));
}

/* ---- Operators -------------------------------------------------------------------- */

static Expr *parse_method_call(Parser *p, Expr *receiver, ExprKind kind)
{
    Expr *expr = new_expr(p, kind, here(p));
    parser_advance(p);
    expr->left = receiver;
    expr->pos = here(p)->pos;
    expr->length = here(p)->length;
    expr->name = parser_name(p, "of a method");
    parser_expect(p, TOKEN_PAREN_OPEN, "after the method");
    expr->args = parse_args(p, TOKEN_PAREN_CLOSE, "after the arguments");
    set_height(p, expr);
    return expr;
}

static Expr *parse_get(Parser *p, Expr *future)
{
    parser_advance(p);
    Expr *expr = new_expr(p, EXPR_GET, here(p));
    parser_advance(p);
    expr->left = future;
    set_height(p, expr);
    return expr;
}

static Expr *parse_type_test(Parser *p, Expr *value, ExprKind kind)
{
    Expr *expr = new_expr(p, kind, here(p));
    parser_advance(p);
    expr->left = value;
    expr->name = parser_qualified_type(p, "of an interface");
    set_height(p, expr);
    return expr;
}

/* postfix = primary { '.' m args | '!' m args | '.' 'get' | 'implements' T | 'as' T } */
static Expr *parse_postfix(Parser *p)
{
    Expr *expr = parse_primary(p);
    set_height(p, expr);
    while (!p->panic) {
        TokenKind next = parser_peek(p, 1);
        if (parser_at(p, TOKEN_DOT) && next == TOKEN_GET && parser_peek(p, 2) != TOKEN_PAREN_OPEN)
            expr = parse_get(p, expr);
        else if (parser_at(p, TOKEN_DOT) && token_is_name(next))
            expr = parse_method_call(p, expr, EXPR_SYNC);
        else if (parser_at(p, TOKEN_BANG) && token_is_name(next))
            expr = parse_method_call(p, expr, EXPR_ASYNC);
        else if (parser_at(p, TOKEN_IMPLEMENTS))
            expr = parse_type_test(p, expr, EXPR_IMPLEMENTS);
        else if (parser_at(p, TOKEN_AS) && next == TOKEN_TYPE_NAME)
            expr = parse_type_test(p, expr, EXPR_AS);
        else
            break;
    }
    return expr;
}

/* unary = ( '!' | '~' | '-' ) unary | postfix */
static Expr *parse_unary(Parser *p)
{
    bool negate = parser_at(p, TOKEN_MINUS);
    if (!negate && !parser_at(p, TOKEN_BANG) && !parser_at(p, TOKEN_TILDE))
        return parse_postfix(p);
    Expr *expr = new_expr(p, EXPR_UNARY, here(p));
    parser_advance(p);
    expr->op = negate ? OP_NEGATE : OP_NOT;
    if (parser_enter(p))
        expr->left = parse_unary(p);
    else
        expr->kind = EXPR_ERROR;
    parser_leave(p);
    set_height(p, expr);
    return expr;
}

typedef struct BinaryOperator {
    uint8_t token;
    uint8_t op;
    uint8_t level; /* higher: binds tighter */
} BinaryOperator;

static const BinaryOperator BINARY[] = {
    {TOKEN_OR, OP_OR, 1},           {TOKEN_AND, OP_AND, 2},        {TOKEN_EQUAL, OP_EQ, 3},
    {TOKEN_UNEQUAL, OP_NE, 3},      {TOKEN_LESS, OP_LT, 4},        {TOKEN_LESS_EQUAL, OP_LE, 4},
    {TOKEN_GREATER, OP_GT, 4},      {TOKEN_GREATER_EQUAL, OP_GE, 4}, {TOKEN_PLUS, OP_ADD, 5},
    {TOKEN_MINUS, OP_SUB, 5},       {TOKEN_TIMES, OP_MUL, 6},      {TOKEN_DIVIDE, OP_DIV, 6},
    {TOKEN_MODULO, OP_MOD, 6},
};

static const BinaryOperator *find_operator(TokenKind kind, unsigned level)
{
    for (unsigned i = 0; i < sizeof BINARY / sizeof BINARY[0]; i++)
        if (BINARY[i].token == kind && BINARY[i].level >= level)
            return &BINARY[i];
    return NULL;
}

/* Left associative: the right operand contains only operators that bind tighter. */
static Expr *parse_binary(Parser *p, unsigned level)
{
    Expr *left = parse_unary(p);
    const BinaryOperator *operator;
    while (!p->panic && (operator = find_operator(parser_kind(p), level))) {
        Expr *expr = new_expr(p, EXPR_BINARY, here(p));
        parser_advance(p);
        expr->op = operator->op;
        expr->left = left;
        expr->right = parse_binary(p, operator->level + 1u);
        set_height(p, expr);
        left = expr;
    }
    return left;
}

Expr *parse_expr(Parser *p)
{
    if (p->panic)
        return new_expr(p, EXPR_ERROR, here(p));
    Expr *expr = parser_enter(p) ? parse_binary(p, 1) : new_expr(p, EXPR_ERROR, here(p));
    parser_leave(p);
    return expr;
}
