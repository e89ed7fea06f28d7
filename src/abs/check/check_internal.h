/* check_internal.h - what the files of the type checker share */
#ifndef ABS_CHECK_CHECK_INTERNAL_H
#define ABS_CHECK_CHECK_INTERNAL_H

#include "abs/check/types.h"
#include "abs/syntax/scope.h"

/* What kind of code is being checked; from PLACE_INIT on, it must not wait. */
typedef enum CodePlace { PLACE_FUNCTION, PLACE_METHOD, PLACE_MAIN, PLACE_INIT, PLACE_RECOVER, PLACE_FINALLY } CodePlace;

typedef struct Checker {
    Model *model;
    Types types;
    ModuleDecl *module;
    /* the code being checked */
    CodePlace place;
    ClassDecl *class;          /* NULL outside classes                 */
    const MethodDecl *method;  /* NULL outside methods                 */
    const FunctionDecl *function;
    Type *result;              /* of the method; NULL: must not return */
    const NameList *type_params;
    Type **param_types;
    VEC(Variable *) locals;    /* in scope, innermost last             */
    VEC(Expr *) lambdas;       /* enclosing anonymous functions        */
    VEC(uint32_t) lambda_bases;/* locals.count at the start of each of them  */
    bool atomic;               /* in an [Atomic] method  */
    bool readonly;             /* in a [Readonly] method */
} Checker;

/* ---- Messages (check.c) ---- */

/* Adds a diagnostic about `length` characters at a position to the model. */
void check_error(Checker *c, SrcPos pos, uint32_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports an unknown name; silent if its declaration may have been lost to a syntax error or be unsupported. */
void check_unknown(Checker *c, const Name *name, const char *what);
/* Does `from` fit `to`? Reports if not: "expected TO <context>, found FROM". */
bool check_fits(Checker *c, Type *from, Type *to, SrcPos pos, uint32_t length, const char *context);
void check_warning(Checker *c, SrcPos pos, uint32_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- Names (check_type.c) ---- */

/* The declaration a name refers to, or NULL (reported); `what` is its kind in the message. */
Decl *check_find(Checker *c, NameSpace space, const Name *name, const char *what);
/* The type that is written there, or that a synonym stands for; TYPE_ERROR after a reported error. */
Type *check_type(Checker *c, const TypeRef *ref);
Type *check_synonym(Checker *c, SynonymDecl *synonym);
/* The types of the type parameters, for use inside the declaration. */
Type **check_make_params(Checker *c, const NameList *names);
/* A fresh variable for each of `count` type parameters. */
Type **check_make_vars(Checker *c, uint32_t count);

/* ---- Variables (check_scope.c) ---- */

/* Adds a variable to the innermost scope; it may hide another one. */
Variable *check_add_local(Checker *c, const Name *name, Type *type);
/* The same for a variable of a statement, which must not hide another local (reported). */
Variable *check_declare(Checker *c, const Name *name, Type *type);
/* The local in scope, or NULL. Adds it to the captures of the anonymous functions in between. */
Variable *check_find_local(Checker *c, const char *name);
/* The field of the class, or NULL; no fields are in scope in a function. */
Field *check_find_field(const Checker *c, const char *name);
/* Answers a mark; closing with it removes the variables added since. */
uint32_t check_open_scope(const Checker *c);
void check_close_scope(Checker *c, uint32_t mark);

/* ---- Declarations (check_decl.c, check_class.c) ---- */

/* Headers: the types of a declaration, without its code, except for second-order functions. */
void check_function_header(Checker *c, FunctionDecl *function);
void check_constructor_header(Checker *c, ConstructorDecl *constructor);
void check_signature(Checker *c, MethodSig *sig);
void check_class_header(Checker *c, ClassDecl *class);
/* The fields, blocks and methods of a class whose header has been checked. */
void check_class(Checker *c, ClassDecl *class);
/* All headers of the model, then all code. */
void check_headers(Checker *c);
void check_bodies(Checker *c);
/* NULL if there is none; inherited methods included. */
MethodSig *check_find_interface_method(InterfaceDecl *interface, const char *name);
MethodDecl *check_find_class_method(const ClassDecl *class, const char *name);
/* Adds the methods of traits to the classes that use them, then the changes of deltas (trait.c). */
void check_flatten_traits(Checker *c);

/* The body of a query: its arguments and its result (query.c). */
void check_query(Checker *c, FunctionDecl *function);

/* Makes stubs of the methods of a foreign class (foreign.c). */
void check_foreign_class(Checker *c, ClassDecl *class);

/* ---- Code: the functions set the types in the tree and report errors ---- */

Type *check_expr(Checker *c, Expr *expr);         /* pure (check_expr.c)            */
Type *check_effect(Checker *c, Expr *expr);       /* may have effects               */
void check_condition(Checker *c, Expr *expr, const char *what);
Type *check_call(Checker *c, Expr *expr);         /* f(..), f[..], C(..) (check_call.c) */
Type *check_effect_call(Checker *c, Expr *expr);  /* new, o!m, o.m, get ... (check_effect.c) */
void check_pattern(Checker *c, Pattern *pattern, Type *type); /* check_pattern.c */
void check_block(Checker *c, Stmt *block);        /* check_stmt.c */
void check_branches(Checker *c, Branches *branches, Type *type);
void check_body(Checker *c, Stmt *block, SrcPos pos, uint32_t length);
void check_delay(Checker *c, const ExprList *delay);      /* of a duration (check_annotation.c) */
void check_annotations(Checker *c, const Stmt *stmt);     /* those that have an effect          */
void check_move(Checker *c, Expr *component);             /* of a cog                           */
/* Of the cogs of objects of the class; NULL: none. */
void check_scheduler(Checker *c, ClassDecl *class, const Annotation *scheduler);

#endif
