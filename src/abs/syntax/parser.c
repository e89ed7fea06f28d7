/* parser.c - tokens, names and lists for the parser; parsing a file */
#include "abs/syntax/parser_internal.h"

#include <stdio.h>
#include <string.h>

/* ---- Tokens --------------------------------------------------------------- */

void parser_note_modern(Parser *p)
{
    p->model->modern |= !p->model->sources.files.items[p->file].library;
}

TokenKind parser_peek(const Parser *p, uint32_t ahead)
{
    uint32_t i = p->at;
    while (ahead-- && p->tokens[i].kind != TOKEN_END)
        i++;
    return (TokenKind)p->tokens[i].kind;
}

void parser_advance(Parser *p)
{
    if (p->tokens[p->at].kind != TOKEN_END)
        p->at++;
}

bool parser_at(const Parser *p, TokenKind kind)
{
    return parser_kind(p) == kind;
}

bool parser_take(Parser *p, TokenKind kind)
{
    if (p->panic || !parser_at(p, kind))
        return false;
    parser_advance(p);
    return true;
}

void parser_fail_at(Parser *p, SrcPos pos, uint32_t length, const char *format, ...)
{
    if (p->panic)
        return;
    p->panic = true;
    if (p->muted)
        return;
    va_list args;
    va_start(args, format);
    diag_add_list(&p->model->diags, DIAG_ERROR, pos, length, format, args);
    va_end(args);
    p->model->syntax_errors = true;
}

void parser_fail(Parser *p, const char *format, ...)
{
    char text[256];
    const Token *token = &p->tokens[p->at];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    int shown = token->length > 40 ? 40 : (int)token->length;
    bool is_keyword = token->kind >= TOKEN_ASSERT && !token_is_name((TokenKind)token->kind);
    if (token->kind == TOKEN_END)
        parser_fail_at(p, token->pos, 1, "%s, found the end of the file", text);
    else
        parser_fail_at(p, token->pos, token->length, "%s, found %s'%.*s'", text, is_keyword ? "the keyword " : "",
                       shown, p->text + (token->pos - p->start));
}

bool parser_expect(Parser *p, TokenKind kind, const char *context)
{
    if (parser_take(p, kind))
        return true;
    parser_fail(p, "expected %s %s", token_kind_text(kind), context);
    return false;
}

void parser_unsupported(Parser *p, DiagKind kind, const Token *token, const char *what)
{
    if (!p->muted)
        diag_add(&p->model->diags, kind, token->pos, token->length, "%s", what);
}

/* A keyword misused as a name must not count as the beginning of a declaration. */
bool parser_begins_declaration(const Parser *p)
{
    TokenKind next = parser_peek(p, 1);
    switch (parser_kind(p)) {
    case TOKEN_MODULE:
    case TOKEN_CLASS:
    case TOKEN_INTERFACE:
    case TOKEN_DATA:
    case TOKEN_EXCEPTION:
    case TOKEN_TYPE: return next == TOKEN_TYPE_NAME;
    case TOKEN_DEF: return next == TOKEN_TYPE_NAME || next == TOKEN_BRACKET_OPEN;
    case TOKEN_EXPORT:
    case TOKEN_IMPORT: return next == TOKEN_TYPE_NAME || next == TOKEN_TIMES || token_is_name(next);
    case TOKEN_TRAIT: return parser_peek(p, 2) == TOKEN_ASSIGN;
    case TOKEN_DELTA:
    case TOKEN_PRODUCTLINE: return next == TOKEN_TYPE_NAME;
    default: return false;
    }
}

bool parser_enter(Parser *p)
{
    if (p->nesting++ < PARSER_MAX_NESTING)
        return true;
    parser_fail(p, "nested too deeply (more than %d levels)", PARSER_MAX_NESTING);
    p->at = p->end; /* what follows would only repeat this */
    return false;
}

void parser_leave(Parser *p)
{
    p->nesting--;
}

/* ---- Names ---------------------------------------------------------------- */

static Name make_name(Parser *p, const Token *first, const Token *last)
{
    uint32_t length = last->pos + last->length - first->pos;
    const char *text = p->text + (first->pos - p->start);
    char joined[512];
    uint32_t size = 0;
    /* A qualified name may have blanks around its dots. */
    for (uint32_t i = 0; i < length && size < sizeof joined; i++)
        if (first == last || !strchr(" \t\r\n", text[i]))
            joined[size++] = text[i];
    return (Name){intern_make(&p->model->names, size < sizeof joined ? joined : text,
                              size < sizeof joined ? size : first->length), first->pos, length};
}

Name parser_name(Parser *p, const char *context)
{
    const Token *token = &p->tokens[p->at];
    if (p->panic || !token_is_name(parser_kind(p))) {
        parser_fail(p, "expected a name %s", context);
        return (Name){NULL, token->pos, 1};
    }
    parser_advance(p);
    return make_name(p, token, token);
}

void parser_hide(Parser *p, const Name *name)
{
    if (p->bindings)
        VEC_PUSH(&p->hidden, name->text);
}

/* The value of a delta's parameter takes its place wherever its name is an expression, unless a parameter or variable
 * of the method hides it. */
Name parser_local_name(Parser *p, const char *context)
{
    Name name = parser_name(p, context);
    for (uint32_t i = 0; p->delta && i < p->delta->params.count; i++)
        if (name.text && p->delta->params.items[i].name.text == name.text)
            parser_fail_at(p, name.pos, name.length, "'%s' is a parameter of the delta; expected another name %s",
                           name.text, context);
    return name;
}

Name parser_type_name(Parser *p, const char *context)
{
    const Token *token = &p->tokens[p->at];
    if (!parser_take(p, TOKEN_TYPE_NAME)) {
        parser_fail(p, "expected a name that begins with a capital letter %s", context);
        return (Name){NULL, token->pos, 1};
    }
    return make_name(p, token, token);
}

/* T { '.' T }, as far as the dots are followed by type names. */
static Name take_qualified(Parser *p, bool allow_name, const char *context)
{
    const Token *first = &p->tokens[p->at], *last = first;
    bool is_name = token_is_name(parser_kind(p));
    if (p->panic || !(parser_at(p, TOKEN_TYPE_NAME) || (allow_name && is_name))) {
        parser_fail(p, "expected a %sname %s", allow_name ? "" : "type ", context);
        return (Name){NULL, first->pos, 1};
    }
    parser_advance(p);
    while (!is_name && parser_at(p, TOKEN_DOT)) {
        is_name = token_is_name(parser_peek(p, 1));
        if (parser_peek(p, 1) != TOKEN_TYPE_NAME && !(allow_name && is_name))
            break;
        parser_advance(p);
        last = &p->tokens[p->at];
        parser_advance(p);
    }
    return make_name(p, first, last);
}

Name parser_qualified_type(Parser *p, const char *context)
{
    return take_qualified(p, false, context);
}

Name parser_qualified_any(Parser *p, const char *context)
{
    return take_qualified(p, true, context);
}

Name parser_declared_type(Parser *p, const char *context)
{
    return p->delta ? parser_qualified_type(p, context) : parser_type_name(p, context);
}

NameList parser_qualified_types(Parser *p, const char *context)
{
    VEC(Name) names = {0};
    do
        VEC_PUSH(&names, parser_qualified_type(p, context));
    while (parser_take(p, TOKEN_COMMA));
    NameList list = {arena_alloc(&p->model->arena, names.count * sizeof(Name)), names.count};
    memcpy(list.items, names.items, names.count * sizeof(Name));
    VEC_FREE(&names);
    return list;
}

void parser_push(Parser *p, void *node)
{
    VEC_PUSH(&p->scratch, node);
}

void *parser_pop_pointers(Parser *p, uint32_t mark, uint32_t *count)
{
    *count = p->scratch.count - mark;
    void **items = arena_alloc(&p->model->arena, *count * sizeof(void *));
    if (*count)
        memcpy(items, p->scratch.items + mark, *count * sizeof(void *));
    p->scratch.count = mark;
    return items;
}

/* ---- Strings ---------------------------------------------------------------- */

static char resolve_escape(char c, bool is_string)
{
    if (!is_string)
        return c;
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    default: return c;
    }
}

/* In a template string a backslash escapes only '`' and '$'. */
static bool is_escape(char c, bool is_string)
{
    return is_string || c == '`' || c == '$';
}

char *parser_string(Parser *p, const Token *token, uint32_t *size)
{
    const char *text = p->text + (token->pos - p->start);
    bool is_string = token->kind == TOKEN_STRING;
    uint32_t end = token->length;
    if (end > 1 && strchr("\"`$", text[end - 1]))
        end--;
    char *bytes = arena_alloc(&p->model->arena, token->length + 1);
    uint32_t n = 0;
    for (uint32_t i = 1; i < end; i++) {
        if (text[i] == '\\' && i + 1 < end && is_escape(text[i + 1], is_string))
            bytes[n++] = resolve_escape(text[++i], is_string);
        else
            bytes[n++] = text[i];
    }
    bytes[n] = '\0';
    *size = n;
    return bytes;
}

/* ---- Lookahead ---------------------------------------------------------------- */

static uint32_t scan_type_args(const Parser *p, uint32_t i, unsigned nesting);

/* The index after the annotations at token i, or 0 if a bracket is not closed. */
static uint32_t scan_annotations(const Parser *p, uint32_t i)
{
    while (p->tokens[i].kind == TOKEN_BRACKET_OPEN) {
        unsigned open = 0;
        do {
            if (p->tokens[i].kind == TOKEN_END || p->tokens[i].kind == TOKEN_SEMICOLON)
                return 0;
            open += p->tokens[i].kind == TOKEN_BRACKET_OPEN;
            open -= p->tokens[i].kind == TOKEN_BRACKET_CLOSE;
            i++;
        } while (open);
    }
    return i;
}

static uint32_t scan_nested_type(const Parser *p, uint32_t i, unsigned nesting)
{
    i = scan_annotations(p, i);
    if (!i || p->tokens[i].kind != TOKEN_TYPE_NAME || nesting > PARSER_MAX_NESTING)
        return 0;
    i++;
    while (p->tokens[i].kind == TOKEN_DOT && p->tokens[i + 1].kind == TOKEN_TYPE_NAME)
        i += 2;
    return p->tokens[i].kind == TOKEN_LESS ? scan_type_args(p, i, nesting + 1) : i;
}

static uint32_t scan_type_args(const Parser *p, uint32_t i, unsigned nesting)
{
    do {
        i = scan_nested_type(p, i + 1, nesting);
        if (!i)
            return 0;
    } while (p->tokens[i].kind == TOKEN_COMMA);
    return p->tokens[i].kind == TOKEN_GREATER ? i + 1 : 0;
}

uint32_t parser_scan_type(const Parser *p, uint32_t i)
{
    return p->tokens[i].kind == TOKEN_END ? 0 : scan_nested_type(p, i, 0);
}

/* ---- Files ---------------------------------------------------------------------- */

static void init_parser(Parser *p, Model *model, uint32_t file)
{
    const SourceFile *source = &model->sources.files.items[file];
    *p = (Parser){.model = model, .text = source->text, .start = source->start, .file = file};
    p->tokens = model->tokens.items[file].items.items;
    p->end = model->tokens.items[file].items.count - 1;
}

void parser_open(Parser *p, Model *model, uint32_t file)
{
    Tokens tokens = {0};
    uint32_t errors = model->diags.errors;
    lexer_run(&model->sources, file, &tokens, &model->diags);
    model->syntax_errors |= model->diags.errors > errors;
    while (model->tokens.count <= file)
        VEC_PUSH(&model->tokens, (Tokens){0});
    model->tokens.items[file] = tokens;
    init_parser(p, model, file);
}

void parser_run(Model *model, uint32_t file)
{
    Parser parser;
    parser_open(&parser, model, file);
    uint32_t first = model->modules.count, first_delta = model->deltas.count;
    while (!parser_at(&parser, TOKEN_END))
        parse_module(&parser);
    for (uint32_t i = first; i < model->modules.count; i++)
        model->modules.items[i]->legacy_new = parser.legacy_new;
    for (uint32_t i = first_delta; i < model->deltas.count; i++)
        model->deltas.items[i]->legacy_new = parser.legacy_new;
    VEC_FREE(&parser.scratch);
    VEC_FREE(&parser.hidden);
}

/* ---- Words that are keywords in product lines only ---------------------------------- */

bool parser_at_word(const Parser *p, const char *word)
{
    const Token *token = &p->tokens[p->at];
    return token->kind == TOKEN_NAME && token->length == strlen(word) &&
           memcmp(p->text + (token->pos - p->start), word, token->length) == 0;
}

bool parser_take_word(Parser *p, const char *word)
{
    if (p->panic || !parser_at_word(p, word))
        return false;
    parser_advance(p);
    return true;
}

/* ---- Parsing again -------------------------------------------------------------------- */

MethodDecl *parser_copy_method(Model *model, const MethodDecl *method)
{
    Parser parser;
    init_parser(&parser, model, method->file);
    parser.at = method->first_token;
    parser.muted = true;
    parser.bindings = method->bindings;
    MethodDecl *copy = parse_method(&parser, "");
    copy->delta = method->delta;
    VEC_FREE(&parser.scratch);
    VEC_FREE(&parser.hidden);
    return copy;
}

DeltaDecl *parser_copy_delta(Model *model, const DeltaDecl *delta, const DeltaBinding *bindings)
{
    Parser parser;
    uint32_t count = model->deltas.count;
    init_parser(&parser, model, delta->file);
    parser.at = delta->first_token;
    parser.muted = model->syntax_errors;
    parser.bindings = bindings;
    parser.module = delta->module;
    parse_delta(&parser);
    VEC_FREE(&parser.scratch);
    VEC_FREE(&parser.hidden);
    DeltaDecl *copy = model->deltas.items[count];
    model->deltas.count = count;
    return copy;
}
