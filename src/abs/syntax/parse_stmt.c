/* parse_stmt.c - statements and guards */
#include "abs/syntax/parser_internal.h"

#include <string.h>

static Stmt *parse_stmt(Parser *p);

/* ---- Helpers ----------------------------------------------------------------- */

static Stmt *new_stmt(Parser *p, StmtKind kind)
{
    Stmt *stmt = arena_zero(&p->model->arena, sizeof *stmt);
    stmt->kind = (uint8_t)kind;
    stmt->pos = p->tokens[p->at].pos;
    stmt->length = p->tokens[p->at].length;
    return stmt;
}

static bool begins_statement(TokenKind kind)
{
    return kind == TOKEN_IF || kind == TOKEN_WHILE || kind == TOKEN_RETURN || kind == TOKEN_SKIP ||
           kind == TOKEN_SUSPEND || kind == TOKEN_TRY || kind == TOKEN_THROW || kind == TOKEN_ASSERT;
}

/* After an error: skips past the next ';', or to a brace, or to a keyword that begins a statement. */
static void recover(Parser *p, uint32_t from)
{
    p->panic = false;
    if (p->at == from)
        parser_advance(p);
    while (!parser_at(p, TOKEN_END) && !parser_at(p, TOKEN_BRACE_CLOSE) && !parser_at(p, TOKEN_BRACE_OPEN) &&
           !begins_statement(parser_kind(p)) && !parser_begins_declaration(p)) {
        if (parser_take(p, TOKEN_SEMICOLON))
            return;
        parser_advance(p);
    }
}

static Expr *parse_condition(Parser *p, const char *word)
{
    char context[64];
    strcpy(context, "after '");
    strncat(context, word, 20);
    strcat(context, "'");
    parser_expect(p, TOKEN_PAREN_OPEN, context);
    Expr *expr = parse_expr(p);
    parser_expect(p, TOKEN_PAREN_CLOSE, "after the condition");
    return expr;
}

static Stmt *end_stmt(Parser *p, Stmt *stmt, const char *context)
{
    parser_expect(p, TOKEN_SEMICOLON, context);
    return stmt;
}

/* ---- Blocks and branches ------------------------------------------------------ */

/* block = '{' { stmt } '}' */
Stmt *parse_block(Parser *p, const char *context)
{
    Stmt *block = new_stmt(p, STMT_BLOCK);
    uint32_t mark = p->scratch.count;
    if (!parser_expect(p, TOKEN_BRACE_OPEN, context))
        return block;
    while (!parser_at(p, TOKEN_BRACE_CLOSE) && !parser_at(p, TOKEN_END) && !parser_begins_declaration(p)) {
        uint32_t from = p->at;
        Stmt *stmt = parse_stmt(p);
        parser_push(p, stmt);
        if (p->panic) {
            recover(p, from);
            if (parser_begins_declaration(p))
                break;
        }
    }
    block->end = p->tokens[p->at].pos;
    block->stmts.items = parser_pop_pointers(p, mark, &block->stmts.count);
    parser_expect(p, TOKEN_BRACE_CLOSE, "at the end of the block");
    return block;
}

static Branch parse_branch(Parser *p)
{
    Branch branch = {0};
    parser_take(p, TOKEN_BAR);
    branch.pattern = parse_pattern(p);
    parser_expect(p, TOKEN_ARROW, "after the pattern");
    branch.stmt = parse_stmt(p);
    return branch;
}

Branches parse_stmt_branches(Parser *p, const char *context)
{
    VEC(Branch) list = {0};
    parser_expect(p, TOKEN_BRACE_OPEN, context);
    while (!p->panic && !parser_at(p, TOKEN_BRACE_CLOSE)) {
        VEC_PUSH(&list, parse_branch(p));
        while (parser_take(p, TOKEN_SEMICOLON))
            ;
    }
    parser_expect(p, TOKEN_BRACE_CLOSE, "after the branches");
    Branches branches = {parser_copy(p, list.items, list.count * sizeof(Branch)), list.count};
    VEC_FREE(&list);
    return branches;
}

/* ---- Guards ------------------------------------------------------------------- */

static Guard *new_guard(Parser *p, GuardKind kind, Expr *expr)
{
    Guard *guard = arena_zero(&p->model->arena, sizeof *guard);
    guard->kind = (uint8_t)kind;
    guard->expr = expr;
    return guard;
}

/* delay = '(' least [ ',' most ] ')' */
static ExprList parse_delay(Parser *p)
{
    parser_advance(p);
    parser_advance(p);
    ExprList delay = parse_args(p, TOKEN_PAREN_CLOSE, "after the duration");
    if (!p->panic && (delay.count == 0 || delay.count > 2))
        parser_fail(p, "expected the least and, perhaps, the most time that passes");
    return delay;
}

static Guard *parse_simple_guard(Parser *p)
{
    if (parser_at(p, TOKEN_DURATION) && parser_peek(p, 1) == TOKEN_PAREN_OPEN) {
        Guard *guard = new_guard(p, GUARD_DURATION, NULL);
        guard->delay = parse_delay(p);
        return guard;
    }
    Expr *expr = parse_expr(p);
    return new_guard(p, parser_take(p, TOKEN_QUESTION) ? GUARD_FUTURE : GUARD_BOOL, expr);
}

/* guard = simple { '&' simple };  simple = expr '?' | expr | 'duration' delay */
static Guard *parse_guard(Parser *p)
{
    Guard *guard = parse_simple_guard(p);
    unsigned count = 0;
    while (parser_take(p, TOKEN_AMPERSAND)) {
        Guard *both = new_guard(p, GUARD_AND, NULL);
        if (++count > PARSER_MAX_NESTING)
            parser_fail(p, "guard has too many parts");
        both->left = guard;
        both->right = parse_simple_guard(p);
        guard = both;
    }
    return guard;
}

/* await = 'await' ( guard | o '!' m args ) ';' */
static Stmt *parse_await(Parser *p)
{
    Stmt *stmt = new_stmt(p, STMT_AWAIT);
    parser_advance(p);
    stmt->guard = parse_guard(p);
    if (stmt->guard->kind == GUARD_BOOL && stmt->guard->expr->kind == EXPR_ASYNC) {
        stmt->kind = STMT_EXPR;
        stmt->expr = stmt->guard->expr;
        stmt->expr->kind = EXPR_AWAIT;
    }
    return end_stmt(p, stmt, "after 'await'");
}

/* ---- Statements ----------------------------------------------------------------- */

static Stmt *parse_if(Parser *p)
{
    Stmt *stmt = new_stmt(p, STMT_IF);
    parser_advance(p);
    stmt->expr = parse_condition(p, "if");
    stmt->body = parse_stmt(p);
    if (parser_take(p, TOKEN_ELSE))
        stmt->other = parse_stmt(p);
    return stmt;
}

static Stmt *parse_while(Parser *p)
{
    Stmt *stmt = new_stmt(p, STMT_WHILE);
    parser_advance(p);
    stmt->expr = parse_condition(p, "while");
    stmt->body = parse_stmt(p);
    return stmt;
}

/* foreach = 'foreach' '(' x [ ',' i ] 'in' expr ')' stmt */
static Stmt *parse_foreach(Parser *p)
{
    Stmt *stmt = new_stmt(p, STMT_FOREACH);
    parser_advance(p);
    parser_expect(p, TOKEN_PAREN_OPEN, "after 'foreach'");
    stmt->name = parser_local_name(p, "of the loop variable");
    if (parser_take(p, TOKEN_COMMA))
        stmt->index_name = parser_local_name(p, "of the loop index");
    parser_expect(p, TOKEN_IN, "after the loop variables");
    stmt->expr = parse_expr(p);
    parser_expect(p, TOKEN_PAREN_CLOSE, "after the list");
    stmt->body = parse_stmt(p);
    return stmt;
}

/* switch = ( 'switch' | 'case' ) expr '{' { pattern '=>' stmt } '}' */
static Stmt *parse_switch(Parser *p)
{
    Stmt *stmt = new_stmt(p, STMT_SWITCH);
    if (parser_at(p, TOKEN_SWITCH))
        parser_note_modern(p);
    parser_advance(p);
    stmt->expr = parse_expr(p);
    stmt->branches = parse_stmt_branches(p, "before the branches");
    parser_take(p, TOKEN_SEMICOLON);
    return stmt;
}

/* try = 'try' stmt 'catch' ( '{' { branch } '}' | branch ) [ 'finally' stmt ] */
static Stmt *parse_try(Parser *p)
{
    Stmt *stmt = new_stmt(p, STMT_TRY);
    parser_advance(p);
    stmt->body = parse_stmt(p);
    if (parser_expect(p, TOKEN_CATCH, "after the statement of 'try'")) {
        if (parser_at(p, TOKEN_BRACE_OPEN)) {
            stmt->branches = parse_stmt_branches(p, "after 'catch'");
        } else {
            stmt->branches.items = arena_alloc(&p->model->arena, sizeof(Branch));
            stmt->branches.items[0] = parse_branch(p);
            stmt->branches.count = 1;
        }
    }
    if (parser_take(p, TOKEN_FINALLY))
        stmt->other = parse_stmt(p);
    return stmt;
}

static Stmt *parse_with_expr(Parser *p, StmtKind kind, const char *context)
{
    Stmt *stmt = new_stmt(p, kind);
    parser_advance(p);
    stmt->expr = parse_expr(p);
    return end_stmt(p, stmt, context);
}

static Stmt *parse_word(Parser *p, StmtKind kind, const char *context)
{
    Stmt *stmt = new_stmt(p, kind);
    parser_advance(p);
    return end_stmt(p, stmt, context);
}

static Stmt *parse_duration(Parser *p)
{
    Stmt *stmt = new_stmt(p, STMT_DURATION);
    stmt->delay = parse_delay(p);
    return end_stmt(p, stmt, "after 'duration'");
}

static Stmt *parse_movecogto(Parser *p)
{
    return parse_with_expr(p, STMT_MOVECOGTO, "after 'movecogto'");
}

/* declare = type x [ '=' expr ] ';' */
static Stmt *parse_declare(Parser *p)
{
    Stmt *stmt = new_stmt(p, STMT_DECLARE);
    stmt->type_ref = parse_type(p, "of the variable");
    stmt->name = parser_name(p, "of the variable");
    stmt->pos = stmt->name.pos;
    stmt->length = stmt->name.length;
    if (parser_take(p, TOKEN_ASSIGN))
        stmt->expr = parse_expr(p);
    parser_hide(p, &stmt->name);
    return end_stmt(p, stmt, "after the declaration");
}

/* assign = ( x | 'this' '.' x ) '=' expr ';' ;  otherwise an expression */
static Stmt *parse_assign_or_expr(Parser *p)
{
    Stmt *stmt = new_stmt(p, STMT_EXPR);
    stmt->expr = parse_expr(p);
    bool assignable = stmt->expr->kind == EXPR_VARIABLE || stmt->expr->kind == EXPR_FIELD;
    if (assignable && parser_take(p, TOKEN_ASSIGN)) {
        stmt->kind = STMT_ASSIGN;
        stmt->target = stmt->expr;
        stmt->expr = parse_expr(p);
        return end_stmt(p, stmt, "after the assignment");
    }
    if (assignable && !parser_at(p, TOKEN_SEMICOLON))
        parser_fail(p, "expected '=' or a call");
    return end_stmt(p, stmt, "after the expression");
}

static bool at_declaration(const Parser *p)
{
    uint32_t behind = parser_scan_type(p, p->at);
    return behind && token_is_name((TokenKind)p->tokens[behind].kind);
}

/* A soft keyword begins its statement unless it is used as a variable. */
static bool is_used_as_name(const Parser *p)
{
    TokenKind next = parser_peek(p, 1);
    return next == TOKEN_ASSIGN || next == TOKEN_DOT || next == TOKEN_BANG;
}

static Stmt *parse_soft(Parser *p)
{
    bool parenthesis = parser_peek(p, 1) == TOKEN_PAREN_OPEN;
    switch (parser_kind(p)) {
    case TOKEN_FOREACH: return parse_foreach(p);
    case TOKEN_SWITCH: return parse_switch(p);
    case TOKEN_DIE: return parse_with_expr(p, STMT_DIE, "after 'die'");
    case TOKEN_DURATION: return parenthesis ? parse_duration(p) : NULL;
    case TOKEN_MOVECOGTO: return parse_movecogto(p);
    default: return NULL;
    }
}

static Stmt *parse_some(Parser *p)
{
    switch (parser_kind(p)) {
    case TOKEN_BRACE_OPEN: return parse_block(p, "");
    case TOKEN_SKIP: return parse_word(p, STMT_SKIP, "after 'skip'");
    case TOKEN_SUSPEND: return parse_word(p, STMT_SUSPEND, "after 'suspend'");
    case TOKEN_RETURN: return parse_with_expr(p, STMT_RETURN, "after 'return'");
    case TOKEN_ASSERT: return parse_with_expr(p, STMT_ASSERT, "after 'assert'");
    case TOKEN_THROW: return parse_with_expr(p, STMT_THROW, "after 'throw'");
    case TOKEN_IF: return parse_if(p);
    case TOKEN_WHILE: return parse_while(p);
    case TOKEN_CASE: return parse_switch(p);
    case TOKEN_TRY: return parse_try(p);
    case TOKEN_AWAIT: return parse_await(p);
    default: break;
    }
    if (!is_used_as_name(p)) {
        Stmt *stmt = parse_soft(p);
        if (stmt)
            return stmt;
    }
    return at_declaration(p) ? parse_declare(p) : parse_assign_or_expr(p);
}

/* stmt = annotations ... */
static Stmt *parse_stmt(Parser *p)
{
    Stmt *stmt;
    if (p->panic)
        return new_stmt(p, STMT_ERROR);
    Annotations annotations = parse_annotations(p);
    stmt = parser_enter(p) ? parse_some(p) : new_stmt(p, STMT_ERROR);
    parser_leave(p);
    stmt->annotations = annotations;
    return stmt;
}
