/* lexer.c - see lexer.h
 *
 * Design: one pass over the characters. Template strings switch between text and
 * expression at each '$'; a small stack tells to which template a '$' or '`' belongs, since an expression in a
 * template may contain another template.
 */
#include "abs/syntax/lexer.h"

#include <ctype.h>
#include <string.h>

enum { TEMPLATE_DEPTH = 8 };

typedef struct Lexer {
    const char *text;
    uint32_t at;
    uint32_t size;
    SrcPos start;
    unsigned templates; /* template strings with an open expression    */
    Tokens *tokens;
    Diags *diags;
} Lexer;

/* ---- Tables ------------------------------------------------------------ */

static const char *const KIND_TEXTS[] = {
#define TOKEN(name, text) text,
#include "abs/syntax/token.def"
};

typedef struct Keyword {
    const char *word;
    TokenKind kind;
    bool soft;
} Keyword;

static const Keyword KEYWORDS[] = {
#define TOKEN(name, text)
#define HARD(name, word) {word, TOKEN_##name, false},
#define SOFT(name, word) {word, TOKEN_##name, true},
#include "abs/syntax/token.def"
};
enum { KEYWORD_COUNT = sizeof KEYWORDS / sizeof KEYWORDS[0] };

const char *token_kind_text(TokenKind kind)
{
    return KIND_TEXTS[kind];
}

bool token_is_name(TokenKind kind)
{
    if (kind == TOKEN_NAME)
        return true;
    for (unsigned i = 0; i < KEYWORD_COUNT; i++)
        if (KEYWORDS[i].kind == kind)
            return KEYWORDS[i].soft;
    return false;
}

static TokenKind find_word_kind(const char *word, uint32_t length)
{
    for (unsigned i = 0; i < KEYWORD_COUNT; i++)
        if (KEYWORDS[i].word[0] == word[0] && strncmp(KEYWORDS[i].word, word, length) == 0 &&
            KEYWORDS[i].word[length] == '\0')
            return KEYWORDS[i].kind;
    return isupper((unsigned char)word[0]) ? TOKEN_TYPE_NAME : TOKEN_NAME;
}

/* Longest first. */
static const struct {
    char text[3];
    uint8_t kind;
} PUNCTUATION[] = {
    {"=>", TOKEN_ARROW}, {"==", TOKEN_EQUAL}, {"!=", TOKEN_UNEQUAL}, {"<=", TOKEN_LESS_EQUAL},
    {">=", TOKEN_GREATER_EQUAL}, {"&&", TOKEN_AND}, {"||", TOKEN_OR}, {"(", TOKEN_PAREN_OPEN},
    {")", TOKEN_PAREN_CLOSE}, {"{", TOKEN_BRACE_OPEN}, {"}", TOKEN_BRACE_CLOSE}, {"[", TOKEN_BRACKET_OPEN},
    {"]", TOKEN_BRACKET_CLOSE}, {",", TOKEN_COMMA}, {";", TOKEN_SEMICOLON}, {":", TOKEN_COLON}, {".", TOKEN_DOT},
    {"?", TOKEN_QUESTION}, {"!", TOKEN_BANG}, {"~", TOKEN_TILDE}, {"=", TOKEN_ASSIGN}, {"<", TOKEN_LESS},
    {">", TOKEN_GREATER}, {"+", TOKEN_PLUS}, {"-", TOKEN_MINUS}, {"*", TOKEN_TIMES}, {"/", TOKEN_DIVIDE},
    {"%", TOKEN_MODULO}, {"&", TOKEN_AMPERSAND}, {"|", TOKEN_BAR},
};
enum { PUNCTUATION_COUNT = sizeof PUNCTUATION / sizeof PUNCTUATION[0] };

/* ---- Characters --------------------------------------------------------- */

static char peek(const Lexer *lexer, uint32_t ahead)
{
    return lexer->at + ahead < lexer->size ? lexer->text[lexer->at + ahead] : '\0';
}

static bool at_digit(const Lexer *lexer, uint32_t ahead)
{
    return isdigit((unsigned char)peek(lexer, ahead));
}

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void add_token(Lexer *lexer, TokenKind kind, uint32_t from)
{
    VEC_PUSH(&lexer->tokens->items, ((Token){(uint8_t)kind, lexer->start + from, lexer->at - from}));
}

static void complain(Lexer *lexer, uint32_t from, const char *text)
{
    diag_add(lexer->diags, DIAG_ERROR, lexer->start + from, lexer->at - from, "%s", text);
}

/* ---- Blanks and comments ------------------------------------------------ */

static void skip_line(Lexer *lexer)
{
    while (lexer->at < lexer->size && peek(lexer, 0) != '\n')
        lexer->at++;
}

static void skip_block_comment(Lexer *lexer)
{
    uint32_t from = lexer->at;
    lexer->at += 2;
    while (lexer->at < lexer->size && !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/'))
        lexer->at++;
    if (lexer->at >= lexer->size) {
        diag_add(lexer->diags, DIAG_ERROR, lexer->start + from, 2, "comment is not closed; expected '*/'");
        return;
    }
    lexer->at += 2;
}

static void skip_blanks(Lexer *lexer)
{
    for (;;) {
        char c = peek(lexer, 0);
        if (c == '/' && peek(lexer, 1) == '/')
            skip_line(lexer);
        else if (c == '/' && peek(lexer, 1) == '*')
            skip_block_comment(lexer);
        else if (c != '\0' && isspace((unsigned char)c))
            lexer->at++;
        else
            return;
    }
}

/* ---- Tokens -------------------------------------------------------------- */

static void take_word(Lexer *lexer)
{
    uint32_t from = lexer->at;
    while (is_word_character(peek(lexer, 0)))
        lexer->at++;
    uint32_t length = lexer->at - from;
    if (lexer->text[from] != '_') {
        add_token(lexer, find_word_kind(lexer->text + from, length), from);
    } else if (length == 1) {
        add_token(lexer, TOKEN_UNDERSCORE, from);
    } else {
        complain(lexer, from, "a name must not begin with '_'");
        add_token(lexer, TOKEN_NAME, from);
    }
}

static void take_exponent(Lexer *lexer)
{
    char sign = peek(lexer, 1);
    uint32_t digits = sign == '+' || sign == '-' ? 2 : 1;
    if ((peek(lexer, 0) != 'e' && peek(lexer, 0) != 'E') || !at_digit(lexer, digits))
        return;
    lexer->at += digits;
    while (at_digit(lexer, 0))
        lexer->at++;
}

static void take_number(Lexer *lexer)
{
    uint32_t from = lexer->at;
    TokenKind kind = TOKEN_INT;
    while (at_digit(lexer, 0))
        lexer->at++;
    if (lexer->at - from > 1 && lexer->text[from] == '0')
        complain(lexer, from, "a number must not begin with 0");
    if (peek(lexer, 0) == '.' && at_digit(lexer, 1)) {
        kind = TOKEN_FLOAT;
        lexer->at++;
        while (at_digit(lexer, 0))
            lexer->at++;
        take_exponent(lexer);
    }
    add_token(lexer, kind, from);
}

static void take_escape(Lexer *lexer)
{
    if (!strchr("\\\"tnr", peek(lexer, 1)) || lexer->at + 1 >= lexer->size)
        diag_add(lexer->diags, DIAG_ERROR, lexer->start + lexer->at, 2,
                 "unknown escape; expected one of \\\\ \\\" \\t \\n \\r");
    lexer->at++;
    if (lexer->at < lexer->size && peek(lexer, 0) != '\n')
        lexer->at++;
}

static void take_string(Lexer *lexer)
{
    uint32_t from = lexer->at++;
    while (lexer->at < lexer->size && peek(lexer, 0) != '"' && peek(lexer, 0) != '\n') {
        if (peek(lexer, 0) == '\\')
            take_escape(lexer);
        else
            lexer->at++;
    }
    if (peek(lexer, 0) == '"' && lexer->at < lexer->size)
        lexer->at++;
    else
        complain(lexer, from, "string is not closed; expected '\"' on the same line");
    add_token(lexer, TOKEN_STRING, from);
}

/* From '`' or the '$' that ends an expression up to the next one of them. */
static void take_template(Lexer *lexer)
{
    uint32_t from = lexer->at;
    bool opened = peek(lexer, 0) == '`';
    lexer->at++;
    while (lexer->at < lexer->size && peek(lexer, 0) != '`' && peek(lexer, 0) != '$')
        lexer->at += peek(lexer, 0) == '\\' && lexer->at + 1 < lexer->size ? 2 : 1;
    if (lexer->at >= lexer->size) {
        diag_add(lexer->diags, DIAG_ERROR, lexer->start + from, 1, "template string is not closed; expected '`'");
        lexer->templates = 0;
    }
    bool expression = peek(lexer, 0) == '$' && lexer->at < lexer->size;
    if (lexer->at < lexer->size)
        lexer->at++;
    if (expression && opened && lexer->templates == TEMPLATE_DEPTH) {
        complain(lexer, from, "template strings are nested too deeply");
        expression = false;
    }
    if (opened && expression)
        lexer->templates++;
    if (!opened && !expression && lexer->templates)
        lexer->templates--;
    add_token(lexer, opened ? (expression ? TOKEN_TEMPLATE_HEAD : TOKEN_TEMPLATE)
                            : (expression ? TOKEN_TEMPLATE_MIDDLE : TOKEN_TEMPLATE_TAIL), from);
}

static bool take_punctuation(Lexer *lexer)
{
    for (unsigned i = 0; i < PUNCTUATION_COUNT; i++) {
        const char *text = PUNCTUATION[i].text;
        if (peek(lexer, 0) == text[0] && (text[1] == '\0' || peek(lexer, 1) == text[1])) {
            uint32_t from = lexer->at;
            lexer->at += text[1] == '\0' ? 1 : 2;
            add_token(lexer, PUNCTUATION[i].kind, from);
            return true;
        }
    }
    return false;
}

/* One diagnostic for a run of bytes that begin no token. */
static void skip_unknown(Lexer *lexer)
{
    uint32_t from = lexer->at++;
    while (lexer->at < lexer->size && ((unsigned char)peek(lexer, 0) >= 0x80 || peek(lexer, 0) == '\0'))
        lexer->at++;
    complain(lexer, from, "unexpected character");
}

/* In the range 1..5 the second dot does not begin a number. */
static bool after_dot(const Lexer *lexer)
{
    return lexer->at > 0 && lexer->text[lexer->at - 1] == '.';
}

static void take_token(Lexer *lexer)
{
    char c = peek(lexer, 0);
    if (isalpha((unsigned char)c) || c == '_')
        take_word(lexer);
    else if (isdigit((unsigned char)c) || (c == '.' && at_digit(lexer, 1) && !after_dot(lexer)))
        take_number(lexer);
    else if (c == '"')
        take_string(lexer);
    else if (c == '`' || (c == '$' && lexer->templates))
        take_template(lexer);
    else if (!take_punctuation(lexer))
        skip_unknown(lexer);
}

void lexer_run(const Sources *sources, uint32_t file, Tokens *tokens, Diags *diags)
{
    const SourceFile *source = &sources->files.items[file];
    Lexer lexer = {
        .text = source->text, .size = source->size, .start = source->start, .tokens = tokens, .diags = diags};
    for (skip_blanks(&lexer); lexer.at < lexer.size; skip_blanks(&lexer))
        take_token(&lexer);
    add_token(&lexer, TOKEN_END, lexer.at);
}
