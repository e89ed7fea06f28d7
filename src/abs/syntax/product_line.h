/* product_line.h - the syntax tree of deltas, product lines, products and feature models
 *
 * A product is a set of features with values of their attributes. The clauses of the product line say which deltas
 * belong to it and in which order they change the core, the model without deltas (abs/delta/apply.h).
 */
#ifndef ABS_SYNTAX_PRODUCT_LINE_H
#define ABS_SYNTAX_PRODUCT_LINE_H

#include "abs/syntax/ast.h"

/* ---- Products ------------------------------------------------------------------------ */

/* a = value: a number, a string, or True or False. */
typedef struct AttributeValue {
    Name name;
    Expr *value;
} AttributeValue;

/* F, or F{a = 1, b = True} */
typedef struct FeatureUse {
    Name name;
    AST_LIST(AttributeValue) values;
} FeatureUse;
typedef AST_LIST(FeatureUse) FeatureUses;

typedef enum ProductExprKind { PRODUCT_SET, PRODUCT_NAME, PRODUCT_AND, PRODUCT_OR, PRODUCT_MINUS } ProductExprKind;

typedef struct ProductExpr ProductExpr;
struct ProductExpr {
    ProductExprKind kind;
    FeatureUses features;     /* PRODUCT_SET  */
    Name name;                /* PRODUCT_NAME; otherwise only its place */
    ProductExpr *left, *right;
};

typedef struct ProductDecl {
    Name name;
    ProductExpr *expr;
    bool resolving;           /* for finding cycles of definitions */
} ProductDecl;

/* ---- Conditions on features ------------------------------------------------------------ */

typedef enum ConditionKind {
    CONDITION_FEATURE,        /* F: is it selected?              */
    CONDITION_ATTRIBUTE,      /* F.a, or a of the own feature    */
    CONDITION_NUMBER,
    CONDITION_NOT, CONDITION_NEGATE,
    CONDITION_OR, CONDITION_AND, CONDITION_IMPLIES, CONDITION_SAME, /* `->`, `<->` */
    CONDITION_EQ, CONDITION_NE, CONDITION_LT, CONDITION_LE, CONDITION_GT, CONDITION_GE,
    CONDITION_ADD, CONDITION_SUB, CONDITION_MUL, CONDITION_DIV, CONDITION_MOD
} ConditionKind;

typedef struct FeatureCondition FeatureCondition;
struct FeatureCondition {
    ConditionKind kind;
    Name name;
    int64_t number;
    FeatureCondition *left, *right;
};

/* ---- Feature models ---------------------------------------------------------------------- */

typedef struct FeatureDecl FeatureDecl;

/* A bound of a range; missing: none. */
typedef struct AttributeDecl {
    Name name, type;
    bool has_lower, has_upper;
    int64_t lower, upper;
    AST_LIST(int64_t) allowed; /* if not empty: only these */
} AttributeDecl;

typedef enum ConstraintKind {
    CONSTRAINT_IFIN,
    CONSTRAINT_IFOUT,
    CONSTRAINT_REQUIRE,
    CONSTRAINT_EXCLUDE
} ConstraintKind;

typedef struct Constraint {
    ConstraintKind kind;
    FeatureCondition *condition;     /* IFIN, IFOUT      */
    Name feature;             /* REQUIRE, EXCLUDE */
    SrcPos pos;
} Constraint;

/* `group oneof|allof|[lower..upper] { ... }` */
typedef struct FeatureGroup {
    bool all;                 /* allof: every child that is not optional */
    bool unbounded;           /* no upper bound                          */
    int64_t lower, upper;
    AST_LIST(FeatureDecl *) children;
} FeatureGroup;

/* A feature, or what an extension adds to one. */
struct FeatureDecl {
    Name name;
    bool is_root, is_extension, optional;
    FeatureDecl *parent;
    AST_LIST(FeatureGroup *) groups;
    AST_LIST(AttributeDecl *) attributes;
    AST_LIST(Constraint *) constraints;
};

/* ---- Product lines ------------------------------------------------------------------------ */

/* An argument of a delta: a constant, a feature (is it selected?) or an attribute F.a. */
typedef struct DeltaArg {
    Name feature, attribute;  /* text NULL: none */
    Expr *constant;
} DeltaArg;

/* delta D(args) after D1, D2 when condition; */
typedef struct DeltaClause {
    Name delta;
    AST_LIST(DeltaArg) args;
    NameList after;
    FeatureCondition *when;          /* NULL: always */
} DeltaClause;

typedef struct ProductLineDecl {
    Name name;
    FeatureUses features;
    AST_LIST(DeltaClause *) clauses;
} ProductLineDecl;

/* ---- Deltas --------------------------------------------------------------------------------- */

typedef enum ClassChangeKind { CHANGE_ADD_FIELD, CHANGE_REMOVE_FIELD, CHANGE_METHODS } ClassChangeKind;

typedef struct ClassChange {
    ClassChangeKind kind;
    Field *field;
    TraitStep step;           /* CHANGE_METHODS */
} ClassChange;

typedef enum SigChangeKind { CHANGE_ADD_SIG, CHANGE_REMOVE_SIG, CHANGE_MODIFY_SIG } SigChangeKind;

typedef struct SigChange {
    SigChangeKind kind;
    MethodSig *sig;
} SigChange;

typedef enum DeltaOpKind {
    DELTA_ADD,                /* decl                                */
    DELTA_REPLACE,            /* decl: a data type or a synonym      */
    DELTA_REMOVE_CLASS, DELTA_REMOVE_INTERFACE,
    DELTA_MODIFY_CLASS, DELTA_MODIFY_INTERFACE,
    DELTA_IMPORT, DELTA_EXPORT /* port                               */
} DeltaOpKind;

typedef struct DeltaOp {
    DeltaOpKind kind;
    Name target;              /* maybe qualified */
    Decl *decl;
    NameList adds, removes;   /* interfaces of a class */
    AST_LIST(ClassChange *) changes;
    AST_LIST(SigChange) sigs;
    Port port;
} DeltaOp;

struct DeltaDecl {
    Name name;
    Params params;
    Name uses;                /* the module of names without one; text NULL: none given */
    Name class_param;         /* a class as parameter, which is not supported           */
    ModuleDecl *module;       /* in whose file it is, or NULL                           */
    AST_LIST(DeltaOp *) ops;
    bool legacy_new;          /* like that of a module                                  */
    uint32_t file, first_token; /* for parsing it again, with values of the parameters  */
};

/* Values of the parameters of a delta. */
struct DeltaBinding {
    const char *name;
    const Expr *value;
    DeltaBinding *next;
};

/* A fresh copy of a delta, parsed again with values of its parameters (in the arena of the model). */
DeltaDecl *parser_copy_delta(Model *model, const DeltaDecl *delta, const DeltaBinding *bindings);
/* A product as a text: its name, `{F, G{a = 1}}`, or an expression of these. NULL after an error (reported). */
ProductExpr *parser_product(Model *model, const char *text);

#endif
