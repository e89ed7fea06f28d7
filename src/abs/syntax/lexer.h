/* lexer.h - the tokens of a source file */
#ifndef ABS_SYNTAX_LEXER_H
#define ABS_SYNTAX_LEXER_H

#include "abs/syntax/diag.h"

typedef enum TokenKind {
#define TOKEN(name, text) TOKEN_##name,
#include "abs/syntax/token.def"
    TOKEN_KIND_COUNT
} TokenKind;

typedef struct Token {
    uint8_t kind;
    SrcPos pos;
    uint32_t length;
} Token;

/* Ends with TOKEN_END. */
typedef struct Tokens {
    VEC(Token) items;
} Tokens;

/* Splits file number `file` into tokens. Characters that form no token are reported and skipped. */
void lexer_run(const Sources *sources, uint32_t file, Tokens *tokens, Diags *diags);

/* "'=>'", "a type name" */
const char *token_kind_text(TokenKind kind);
/* Can the token be a name? Soft keywords can. */
bool token_is_name(TokenKind kind);

#endif
