/* parse_pattern.c - patterns of case, switch and catch */
#include "abs/syntax/parser_internal.h"

static Pattern *new_pattern(Parser *p, PatternKind kind)
{
    Pattern *pattern = arena_zero(&p->model->arena, sizeof *pattern);
    pattern->kind = (uint8_t)kind;
    pattern->pos = p->tokens[p->at].pos;
    pattern->length = p->tokens[p->at].length;
    return pattern;
}

static Pattern *parse_literal(Parser *p)
{
    const Token *token = &p->tokens[p->at];
    Pattern *pattern = new_pattern(p, token->kind == TOKEN_INT ? PATTERN_INT : PATTERN_STRING);
    if (token->kind == TOKEN_INT)
        pattern->name.text = intern_make(&p->model->names, p->text + (token->pos - p->start), token->length);
    else
        pattern->string = parser_string(p, token, &pattern->string_size);
    parser_advance(p);
    return pattern;
}

static void parse_pattern_args(Parser *p, Pattern *pattern)
{
    uint32_t mark = p->scratch.count;
    if (!parser_at(p, TOKEN_PAREN_CLOSE)) {
        do
            parser_push(p, parse_pattern(p));
        while (parser_take(p, TOKEN_COMMA));
    }
    parser_expect(p, TOKEN_PAREN_CLOSE, "after the arguments of the pattern");
    pattern->args.items = parser_pop_pointers(p, mark, &pattern->args.count);
}

static Pattern *parse_constructor(Parser *p)
{
    Pattern *pattern = new_pattern(p, PATTERN_CONSTRUCTOR);
    pattern->name = parser_qualified_type(p, "of a constructor");
    pattern->length = pattern->name.length;
    if (parser_take(p, TOKEN_PAREN_OPEN))
        parse_pattern_args(p, pattern);
    return pattern;
}

static Pattern *parse_name(Parser *p, PatternKind kind)
{
    Pattern *pattern = new_pattern(p, kind);
    if (kind == PATTERN_VARIABLE)
        pattern->name = parser_local_name(p, "as pattern");
    else
        parser_advance(p);
    return pattern;
}

static Pattern *parse_some(Parser *p)
{
    switch (parser_kind(p)) {
    case TOKEN_UNDERSCORE: return parse_name(p, PATTERN_WILDCARD);
    case TOKEN_INT:
    case TOKEN_STRING: return parse_literal(p);
    case TOKEN_TYPE_NAME: return parse_constructor(p);
    default: break;
    }
    if (token_is_name(parser_kind(p)))
        return parse_name(p, PATTERN_VARIABLE);
    parser_fail(p, "expected a pattern");
    return new_pattern(p, PATTERN_ERROR);
}

/* pattern = '_' | x | number | string | T [ '(' [ pattern { ',' pattern } ] ')' ] */
Pattern *parse_pattern(Parser *p)
{
    if (p->panic)
        return new_pattern(p, PATTERN_ERROR);
    Pattern *pattern = parser_enter(p) ? parse_some(p) : new_pattern(p, PATTERN_ERROR);
    parser_leave(p);
    return pattern;
}
