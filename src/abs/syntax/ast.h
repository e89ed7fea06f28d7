/* ast.h - the syntax tree of an ABS model
 *
 * The parser builds it, the checker adds types and the declarations that names refer to, lowering
 * reads it. All nodes live in the model's arena. Names are interned: equal names
 * are equal pointers. A qualified name is kept whole ("M.N.x").
 */
#ifndef ABS_SYNTAX_AST_H
#define ABS_SYNTAX_AST_H

#include "abs/syntax/diag.h"
#include "abs/syntax/lexer.h"
#include "abs/syntax/reading.h"
#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"

typedef struct Type Type;
typedef struct Expr Expr;
typedef struct Stmt Stmt;
typedef struct Pattern Pattern;
typedef struct ModuleDecl ModuleDecl;
typedef struct DataDecl DataDecl;
typedef struct ClassDecl ClassDecl;
typedef struct InterfaceDecl InterfaceDecl;
typedef struct MethodDecl MethodDecl;
typedef struct DeltaDecl DeltaDecl;
typedef struct DeltaBinding DeltaBinding;

typedef struct Name {
    const char *text; /* NULL: missing after a syntax error */
    SrcPos pos;
    uint32_t length;
} Name;

#define AST_LIST(T)     \
    struct {            \
        T *items;       \
        uint32_t count; \
    }

typedef AST_LIST(Name) NameList;
typedef AST_LIST(Expr *) ExprList;
typedef AST_LIST(Stmt *) StmtList;
typedef AST_LIST(Pattern *) PatternList;

/* [Tag: value] or [value]; not evaluated. */
typedef struct Annotation {
    Name tag; /* text NULL without a tag */
    Expr *value;
} Annotation;
typedef AST_LIST(Annotation) Annotations;

typedef struct TypeRef TypeRef;
typedef AST_LIST(TypeRef *) TypeRefs;
struct TypeRef {
    Name name;
    TypeRefs args;
    Annotations annotations;
};

/* A local variable, a parameter or a name bound by a pattern. */
typedef struct Variable {
    Name name;
    Type *type;
    bool final;
    const void *owner;  /* code it was declared in, and its register there (set when lowering) */
    uint16_t slot;
} Variable;

/* A field of a class, or one of its parameters. */
typedef struct Field {
    Name name;
    TypeRef *type_ref;
    Type *type;
    Expr *init;      /* NULL: null */
    uint32_t index;
    bool is_parameter;
    bool final;
    Annotations annotations;
} Field;

typedef struct Param {
    Name name;
    TypeRef *type_ref;
    Variable *variable; /* set by the checker */
    Annotations annotations;
} Param;
typedef AST_LIST(Param) Params;

/* ---- Expressions --------------------------------------------------------- */

typedef enum ExprKind {
    EXPR_ERROR,
    EXPR_INT,        /* name.text: digits                                       */
    EXPR_FLOAT,      /* name.text: as written                                   */
    EXPR_STRING,     /* string: the characters                                  */
    EXPR_TEMPLATE,   /* args: strings and expressions in turn                   */
    EXPR_NULL,
    EXPR_THIS,
    EXPR_DESTINY,
    EXPR_VARIABLE,   /* name; variable, or field                                */
    EXPR_FIELD,      /* this.name; field                                        */
    EXPR_UNARY,      /* op left                                                 */
    EXPR_BINARY,     /* left op right                                           */
    EXPR_LET,        /* params[i] = args[i] in left                             */
    EXPR_IF,         /* left ? right : third                                    */
    EXPR_CASE,       /* left, branches                                          */
    EXPR_CALL,       /* name(args), name(functions)(args); decl                 */
    EXPR_NARY,       /* name[args]; decl                                        */
    EXPR_CONSTRUCT,  /* name(args); decl                                        */
    EXPR_LAMBDA,     /* (params) => left; only among `functions`                */
    EXPR_IMPLEMENTS, /* left implements name; decl                              */
    EXPR_AS,         /* left as name; decl                                      */
    /* with effects */
    EXPR_NEW,        /* new name(args); decl; place                             */
    EXPR_ASYNC,      /* left!name(args); method                                 */
    EXPR_AWAIT,      /* await left!name(args); method                           */
    EXPR_SYNC,       /* left.name(args); method                                 */
    EXPR_GET,        /* left.get                                                */
    EXPR_ORIGINAL    /* original(args), name.original(args); method             */
} ExprKind;

typedef enum Operator {
    OP_OR, OP_AND, OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD,
    OP_NOT, OP_NEGATE
} Operator;

/* Where `new` puts the object. */
typedef enum NewPlace { NEW_PLAIN, NEW_LOCAL, NEW_COG } NewPlace;

typedef enum FunctionKind { FUNCTION_DEFINED, FUNCTION_BUILTIN, FUNCTION_ACCESSOR, FUNCTION_PARAMETER } FunctionKind;

typedef struct Branch {
    Pattern *pattern;
    Expr *expr;      /* in a case expression                         */
    Stmt *stmt;      /* in a switch, catch or recover                */
} Branch;
typedef AST_LIST(Branch) Branches;

typedef struct Decl Decl;

struct Expr {
    uint8_t kind;    /* ExprKind */
    uint8_t op;      /* Operator */
    uint8_t place;   /* NewPlace */
    uint16_t depth;  /* height of the tree below */
    SrcPos pos;      /* of the token that messages point at */
    uint32_t length;
    Name name;
    Expr *left, *right, *third;
    ExprList args;
    ExprList functions;
    Params params;
    Branches branches;
    const char *string;
    uint32_t string_size;
    /* set by the checker */
    Type *type;
    Decl *decl;
    Variable *variable;
    Field *field;
    MethodDecl *method;       /* known only for calls on `this` and original */
    AST_LIST(Variable *) captured; /* EXPR_LAMBDA: variables of the context  */
};

typedef enum PatternKind {
    PATTERN_ERROR, PATTERN_WILDCARD, PATTERN_VARIABLE, PATTERN_INT, PATTERN_STRING, PATTERN_CONSTRUCTOR
} PatternKind;

struct Pattern {
    uint8_t kind;    /* PatternKind */
    SrcPos pos;
    uint32_t length;
    Name name;       /* variable, constructor, digits of a number */
    const char *string;
    uint32_t string_size;
    PatternList args;
    /* set by the checker */
    Decl *decl;
    Variable *variable; /* bound by it, unless `known` is set                       */
    Expr *known;        /* the name was in scope: the value must equal this one     */
    Type *type;
};

/* ---- Statements ----------------------------------------------------------- */

typedef enum GuardKind { GUARD_BOOL, GUARD_FUTURE, GUARD_DURATION, GUARD_AND } GuardKind;

typedef struct Guard Guard;
struct Guard {
    uint8_t kind;    /* GuardKind */
    Expr *expr;
    ExprList delay;  /* GUARD_DURATION: one or two */
    Guard *left, *right;
};

typedef enum StmtKind {
    STMT_ERROR,
    STMT_DECLARE,    /* type_ref name = expr; variable                    */
    STMT_ASSIGN,     /* target = expr; target is a variable or this.field */
    STMT_SKIP,
    STMT_EXPR,       /* expr;                                             */
    STMT_BLOCK,      /* { stmts }                                         */
    STMT_RETURN,     /* return expr;                                      */
    STMT_ASSERT,     /* assert expr;                                      */
    STMT_IF,         /* if (expr) body else other                         */
    STMT_WHILE,      /* while (expr) body                                 */
    STMT_FOREACH,    /* foreach (variable, index in expr) body            */
    STMT_SWITCH,     /* switch (expr) { branches }                        */
    STMT_TRY,        /* try body catch { branches } finally other         */
    STMT_AWAIT,      /* await guard;                                      */
    STMT_SUSPEND,
    STMT_THROW,      /* throw expr;                                       */
    STMT_DIE,        /* die expr;                                         */
    STMT_DURATION,   /* duration(delay);                                  */
    STMT_MOVECOGTO   /* movecogto expr;                                   */
} StmtKind;

struct Stmt {
    uint8_t kind;    /* StmtKind */
    SrcPos pos;
    uint32_t length;
    SrcPos end;      /* of a block: its closing brace */
    Annotations annotations;
    TypeRef *type_ref;
    Name name;
    Name index_name; /* text NULL if there is none */
    Expr *expr;
    Expr *target;
    Stmt *body, *other;
    StmtList stmts;
    Branches branches;
    Guard *guard;
    ExprList delay;  /* STMT_DURATION: one or two */
    /* set by the checker */
    Variable *variable;
    Variable *index;
    bool input;      /* [Input] */
};

/* ---- Declarations ---------------------------------------------------------- */

typedef enum DeclKind {
    DECL_DATA, DECL_SYNONYM, DECL_CONSTRUCTOR, DECL_FUNCTION, DECL_INTERFACE, DECL_CLASS, DECL_TRAIT
} DeclKind;

/* What every declaration begins with. */
struct Decl {
    uint8_t kind;        /* DeclKind */
    bool resolving;      /* for finding cycles of definitions */
    bool broken;         /* an error in it was reported */
    Name name;
    ModuleDecl *module;
    Annotations annotations;
};

typedef struct ConstructorDecl {
    Decl decl;
    DataDecl *data;
    Params params;           /* names may be missing                               */
    Type **types;            /* of the parameters (set by the checker)             */
    uint32_t number;         /* among all constructors of the model                */
} ConstructorDecl;

struct DataDecl {
    Decl decl;
    NameList type_params;
    AST_LIST(ConstructorDecl *) constructors;
    Type **param_types;      /* set by the checker */
};

typedef struct SynonymDecl {
    Decl decl;
    TypeRef *type_ref;
    Type *type;              /* set by the checker */
} SynonymDecl;

typedef struct FunctionDecl {
    Decl decl;
    FunctionKind kind;
    NameList type_params;
    NameList function_params; /* of a second-order function                          */
    TypeRef *result_ref;
    Params params;
    Expr *body;               /* FUNCTION_DEFINED */
    bool query;               /* FUNCTION_BUILTIN: of a data base, with arguments: */
    ExprList query_args;
    /* set by the checker */
    Type **param_types;       /* rigid type parameters */
    Type *result;
    Variable **function_variables;
    Type **arg_types;
    uint32_t arg_count;
    DataDecl *accessed;       /* FUNCTION_ACCESSOR */
    bool checked;             /* its body too */
    bool input;               /* a query whose result is an input */
    struct Code *code;        /* set when lowering */
} FunctionDecl;

typedef struct MethodSig {
    Name name;
    TypeRef *result_ref;
    Params params;
    Annotations annotations;
    /* set by the checker */
    Type *result;
    Type **types;
    InterfaceDecl *owner;     /* NULL for a method of a class */
} MethodSig;

struct InterfaceDecl {
    Decl decl;
    uint32_t number;          /* among all interfaces of the model */
    NameList extends;
    AST_LIST(MethodSig *) methods;
    AST_LIST(InterfaceDecl *) ancestors; /* nearest first, each once (set by the checker) */
};

struct MethodDecl {
    MethodSig sig;
    Stmt *body;               /* a block */
    uint32_t first_token;     /* for parsing it again: each class that uses a trait has its own copy */
    uint32_t file;
    const char *delta;        /* the delta it comes from; NULL: the core */
    const DeltaBinding *bindings; /* parameters of that delta */
    /* set by the checker */
    MethodDecl *original;     /* what original() calls */
    bool hidden;              /* replaced: called through original() only */
    bool wanted;              /* hidden, and called                       */
    struct Code *code;        /* set when lowering */
};

typedef enum TraitOp { TRAIT_ADDS, TRAIT_MODIFIES, TRAIT_REMOVES } TraitOp;

typedef struct MethodSet {
    Name trait;               /* text NULL: the methods themselves */
    AST_LIST(MethodDecl *) methods;
} MethodSet;

typedef struct TraitStep {
    TraitOp op;
    MethodSet set;
    AST_LIST(MethodSig *) removed;
    const DeltaDecl *delta;   /* that changes a class by it; NULL in a trait */
} TraitStep;

typedef struct TraitExpr {
    MethodSet base;
    AST_LIST(TraitStep) steps;
    SrcPos pos;
} TraitExpr;

typedef struct TraitDecl {
    Decl decl;
    TraitExpr *expr;
} TraitDecl;

struct ClassDecl {
    Decl decl;
    NameList implements;
    AST_LIST(Field *) fields;       /* parameters first */
    uint32_t param_count;
    Stmt *init;                     /* NULL if there is none */
    Branches recover;
    AST_LIST(TraitExpr *) uses;
    AST_LIST(TraitStep *) changes;  /* of methods, by deltas, in order */
    AST_LIST(MethodDecl *) methods; /* with those of traits, once flattened */
    AST_LIST(InterfaceDecl *) interfaces; /* set by the checker */
    Type *this_type;
    uint32_t number;
};

/* ---- Modules ----------------------------------------------------------------- */

typedef struct Port {
    NameList names;   /* empty: all (*)            */
    Name from;        /* text NULL: none           */
    SrcPos pos;
    bool all;
} Port;

struct ModuleDecl {
    Name name;
    uint32_t file;
    AST_LIST(Port) imports;
    AST_LIST(Port) exports;
    AST_LIST(Decl *) decls;
    Stmt *main;                /* block, or NULL */
    bool legacy_new;           /* the file says `new cog`: a plain `new` is local */
    bool imports_unsupported;  /* unknown names may come from there */
    /* set by the checker: name spaces, see scope.h */
    struct Scope *scope;
};

/* Everything that belongs to one model. */
typedef struct Model {
    Arena arena;
    Intern names;
    Sources sources;
    Diags diags;
    ModelReading reading;
    bool has_schedulers;       /* the checker met some                        */
    VEC(Tokens) tokens;        /* per file                                    */
    VEC(ModuleDecl *) modules;
    Map module_names;          /* interned name -> ModuleDecl *               */
    VEC(DeltaDecl *) deltas;
    VEC(struct ProductLineDecl *) product_lines; /* in a correct model at most one */
    VEC(struct ProductDecl *) products;
    VEC(struct FeatureDecl *) features;          /* roots and extensions */
    unsigned old_forms;        /* of older releases (OldForm), allowed        */
    unsigned old_forms_seen;
    bool modern;               /* has forms that older releases did not have: not read as in these */
    bool syntax_errors;        /* declarations may be missing because of them */
    VEC(ConstructorDecl *) constructors; /* by number */
    VEC(ClassDecl *) classes;            /* by number */
    VEC(InterfaceDecl *) interfaces;     /* by number */
} Model;

/* An empty model; the caller owns it. */
Model *model_create(void);
void model_destroy(Model *model);

/* Parses a file of the model's sources and adds its modules. Syntax errors are added to model->diags. */
void parser_run(Model *model, uint32_t file);
/* A fresh copy of a method, parsed again from its tokens. */
MethodDecl *parser_copy_method(Model *model, const MethodDecl *method);

/* The part of a qualified name after the last dot. */
const char *name_last_part(const char *text);
const char *operator_text(Operator op);
/* The annotation `[word]` or `[word: ...]`, or NULL. */
const Annotation *annotation_find(const Annotations *annotations, const char *word);
/* Is its main block a test ([Test]), which `sennit test-suite` interprets? */
bool module_is_test(const ModuleDecl *module);

#endif
