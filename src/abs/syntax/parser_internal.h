/* parser_internal.h - what the files of the parser share
 *
 * Recursive descent with one flag: the first error of a construct sets `panic`, which suppresses further errors until
 * the next statement or declaration. Every function returns a node, an error node if necessary. Loops end when `panic`
 * is set or no token was consumed, so that the parser terminates on every input.
 */
#ifndef ABS_SYNTAX_PARSER_INTERNAL_H
#define ABS_SYNTAX_PARSER_INTERNAL_H

#include "abs/syntax/product_line.h"

enum {
    PARSER_MAX_NESTING = 400,  /* nested constructs                 */
    PARSER_MAX_HEIGHT = 2000   /* of an expression, e.g. a long sum */
};

typedef struct Parser {
    Model *model;
    const Token *tokens;
    const char *text;      /* of the file */
    SrcPos start;          /* of the file */
    uint32_t file;
    uint32_t at;
    uint32_t end;          /* index of TOKEN_END */
    unsigned nesting;
    bool panic;
    bool muted;            /* parsing again: errors were reported already */
    bool legacy_new;       /* `new cog` was seen */
    ModuleDecl *module;
    const DeltaDecl *delta; /* being parsed */
    const DeltaBinding *bindings; /* of its parameters, when it is parsed again */
    bool in_signature;     /* of a method */
    VEC(const char *) hidden; /* names of the method being parsed, which hide parameters of the delta */
    VEC(void *) scratch;   /* lists under construction, as a stack */
} Parser;

/* Reads the tokens of the file and begins at the first one. `scratch` is to be released. */
void parser_open(Parser *p, Model *model, uint32_t file);

/* The model has a form that older releases did not have. */
void parser_note_modern(Parser *p);

/* ---- Tokens (parser.c) ---- */

static inline TokenKind parser_kind(const Parser *p) { return (TokenKind)p->tokens[p->at].kind; }
/* The kind of a token after the current one; TOKEN_END beyond the end. */
TokenKind parser_peek(const Parser *p, uint32_t ahead);
void parser_advance(Parser *p);
bool parser_at(const Parser *p, TokenKind kind);
/* Consumes the token if it is of this kind. */
bool parser_take(Parser *p, TokenKind kind);
/* Takes the token or reports "expected <it> <context>". */
bool parser_expect(Parser *p, TokenKind kind, const char *context);
void parser_fail(Parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void parser_fail_at(Parser *p, SrcPos pos, uint32_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void parser_unsupported(Parser *p, DiagKind kind, const Token *token, const char *what);
/* Does a declaration begin here? Recovery from an error ends there. */
bool parser_begins_declaration(const Parser *p);
/* Enters a nested construct; false (reported) if it is too deep. parser_leave is called in any case. */
bool parser_enter(Parser *p);
void parser_leave(Parser *p);

/* ---- Names and lists (parser.c) ---- */

Name parser_name(Parser *p, const char *context);           /* x         */
Name parser_local_name(Parser *p, const char *context);     /* x, not a parameter of the delta */
void parser_hide(Parser *p, const Name *name);              /* it is no parameter of the delta from here on */
Name parser_type_name(Parser *p, const char *context);      /* T         */
Name parser_declared_type(Parser *p, const char *context);  /* T; in a delta also M.T */
Name parser_qualified_type(Parser *p, const char *context); /* M.N.T     */
Name parser_qualified_any(Parser *p, const char *context);  /* M.N.T or M.N.x */
NameList parser_qualified_types(Parser *p, const char *context); /* T, M.U, ... */
/* Pushes a node on the scratch stack. */
void parser_push(Parser *p, void *node);
/* Copies the pointers pushed on the scratch stack since `mark` into the arena. */
void *parser_pop_pointers(Parser *p, uint32_t mark, uint32_t *count);
/* The characters of a string or template token, escapes resolved. */
char *parser_string(Parser *p, const Token *token, uint32_t *size);
/* The index after a type that begins at token `i`, or 0 if none begins there. */
uint32_t parser_scan_type(const Parser *p, uint32_t i);

/* ---- Parts (parse_type.c, parse_expr.c, parse_pattern.c, parse_stmt.c, parse_class.c, parse_decl.c) ---- */

/* Each parses a construct at the current token and reports errors; `context` is its place, for messages. */
Annotations parse_annotations(Parser *p);
TypeRef *parse_type(Parser *p, const char *context);
Params parse_params(Parser *p, const char *context);        /* (T x, U y) */
NameList parse_type_params(Parser *p);                      /* <A, B>, or nothing */
Expr *parse_expr(Parser *p);
ExprList parse_args(Parser *p, TokenKind close, const char *context);
Pattern *parse_pattern(Parser *p);
Stmt *parse_block(Parser *p, const char *context);
Branches parse_stmt_branches(Parser *p, const char *context); /* { pattern => stmt ... } */
void parse_module(Parser *p);
Decl *parse_decl(Parser *p, const Annotations *annotations);
Port parse_port(Parser *p);
Field *parse_field(Parser *p);
void parse_signature(Parser *p, MethodSig *sig, const char *context);
/* adds, modifies or removes methods; the word is the current token */
TraitStep parse_trait_step(Parser *p, TraitOp op);
/* Deltas, product lines, products and feature models: parses one and adds it to the model; false if none begins here.
 * (parse_delta.c, parse_product.c, parse_feature.c) */
bool parse_product_line(Parser *p);
void parse_delta(Parser *p);
void parse_feature_tree(Parser *p);
FeatureUses parse_features(Parser *p, const char *context);
FeatureCondition *parse_feature_condition(Parser *p);
/* Is the current token this word, which is not a keyword? */
bool parser_at_word(const Parser *p, const char *word);
bool parser_take_word(Parser *p, const char *word);
/* [ '-' ] number */
int64_t parse_number(Parser *p, const char *context);
MethodDecl *parse_method(Parser *p, const char *context);
Decl *parse_interface(Parser *p, const Annotations *annotations);
Decl *parse_trait(Parser *p, const Annotations *annotations);
Decl *parse_class(Parser *p, const Annotations *annotations);
/* A new declaration of the module with kind and annotations set, all else zero; in the arena. */
void *parser_new_decl(Parser *p, DeclKind kind, size_t size, const Annotations *annotations);
/* Copies a finished list to the arena. */
void *parser_copy(Parser *p, const void *items, size_t size);

#endif
