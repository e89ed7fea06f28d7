/* types.h - types of ABS: subtyping, inference variables, how they are printed
 *
 * Int is a subtype of Rat, Fut<T> of Destiny, an interface of those it extends;
 * parameters of data types and futures are covariant. An inference variable takes
 * the first type it meets; while it has only been given values ("soft"), it widens
 * to the least common supertype of further ones.
 */
#ifndef ABS_CHECK_TYPES_H
#define ABS_CHECK_TYPES_H

#include "abs/syntax/ast.h"
#include "base/text.h"

typedef enum TypeKind {
    TYPE_ERROR,      /* of what was reported already: fits everywhere    */
    TYPE_DATA,       /* decl is a DataDecl, with arguments               */
    TYPE_INTERFACE,
    TYPE_CLASS,      /* of `this` and `new`: decl is a ClassDecl         */
    TYPE_PARAM,      /* a type parameter inside its declaration          */
    TYPE_VAR,        /* to be inferred                                   */
    TYPE_NULL,       /* of `null`                                        */
    TYPE_BOTTOM,     /* of the value of a Destiny: there is none         */
    TYPE_FUNCTION    /* of a function parameter: args, the last one is the result */
} TypeKind;

struct Type {
    uint8_t kind;    /* TypeKind */
    bool soft;       /* TYPE_VAR: bound by values only, may widen */
    Decl *decl;
    const char *name; /* TYPE_PARAM */
    Type **args;
    uint32_t count;
    Type *bound;     /* TYPE_VAR; NULL: not known yet */
};

/* Types that have a meaning of their own; from the standard library. */
typedef struct Types {
    Arena *arena;
    Type *error, *null, *bottom;
    Type *unit, *boolean, *integer, *rational, *floating, *string, *exception, *destiny;
    DataDecl *future, *list;
    InterfaceDecl *object;
    unsigned steps;  /* of the walk under way */
} Types;

void types_init(Types *types, Model *model);

Type *type_make_data(Types *types, DataDecl *decl, Type **args);
Type *type_make_future(Types *types, Type *value);
Type *type_make_interface(Types *types, InterfaceDecl *decl);
Type *type_make_class(Types *types, ClassDecl *decl);
Type *type_make_param(Types *types, const char *name);
Type *type_make_var(Types *types);
Type *type_make_function(Types *types, Type **args, uint32_t count, Type *result);

/* The type itself, or what its variable is bound to. */
Type *type_resolve(Type *type);
/* `type` with params[i] replaced by args[i]. */
Type *type_substitute(Types *types, Type *type, Type **params, Type **args, uint32_t count);

/* May a value of type `from` stand where `to` is expected? Binds variables. */
bool type_fits(Types *types, Type *from, Type *to);
/* The least type both fit, or NULL. Binds variables. */
Type *type_join(Types *types, Type *a, Type *b);
bool type_equal(const Type *a, const Type *b);
bool type_is_reference(const Type *type); /* interface, future, null */
bool type_is_data(const Type *type, const Decl *decl);

/* "Map<Int, List<String>>"; `qualified` adds the modules. */
void type_print(const Type *type, bool qualified, Text *text);

#endif
