/* types.h - types of ABS: subtyping, inference variables, printing
 *
 * Int is a subtype of Rat, Fut<T> of Destiny, an interface of those it extends; parameters of data types and futures
 * are covariant. An inference variable is bound to the first type it is compared with; as long as only values have
 * been assigned to it ("soft"), it widens to the least common supertype of further ones.
 *
 * Types are created in the arena of the model and live as long as it.
 */
#ifndef ABS_CHECK_TYPES_H
#define ABS_CHECK_TYPES_H

#include "abs/syntax/ast.h"
#include "base/text.h"

typedef enum TypeKind {
    TYPE_ERROR,      /* after a reported error: fits everywhere                   */
    TYPE_DATA,       /* decl is a DataDecl, with arguments                        */
    TYPE_INTERFACE,
    TYPE_CLASS,      /* of `this` and `new`: decl is a ClassDecl                  */
    TYPE_PARAM,      /* a type parameter inside its declaration                   */
    TYPE_VAR,        /* to be inferred                                            */
    TYPE_NULL,       /* of `null`                                                 */
    TYPE_BOTTOM,     /* of the value of a Destiny: there is none                  */
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

/* The types with a meaning in the language, from the standard library. */
typedef struct Types {
    Arena *arena;
    Type *error, *null, *bottom;
    Type *unit, *boolean, *integer, *rational, *floating, *string, *exception, *destiny;
    DataDecl *future, *list, *set, *map;
    InterfaceDecl *object;
    unsigned steps;  /* of the current type_fits or type_join, which are bounded */
} Types;

/* Finds the library types of a model whose scopes have been built; nothing is to be released. */
void types_init(Types *types, Model *model);

/* `args` has one type per type parameter of the declaration; the array is borrowed, so it must be in the arena too. */
Type *type_make_data(Types *types, DataDecl *decl, Type **args);
/* Fut<value> */
Type *type_make_future(Types *types, Type *value);
Type *type_make_interface(Types *types, InterfaceDecl *decl);
/* The type of `this` in a class, and of `new`. */
Type *type_make_class(Types *types, ClassDecl *decl);
/* A type parameter, equal to itself only. */
Type *type_make_param(Types *types, const char *name);
/* An unbound inference variable. */
Type *type_make_var(Types *types);
/* `args` is copied. */
Type *type_make_function(Types *types, Type **args, uint32_t count, Type *result);

/* What the variable is bound to, through other variables too; an unbound variable, or any other type, itself. */
Type *type_resolve(Type *type);
/* `type` with the type parameter params[i] replaced by args[i]; shares what does not change. */
Type *type_substitute(Types *types, Type *type, Type **params, Type **args, uint32_t count);

/* Is `from` a subtype of `to`? Binds variables, also if the answer is false. True for types too large to compare. */
bool type_fits(Types *types, Type *from, Type *to);
/* The least common supertype, or NULL if there is none. Binds variables, also then. */
Type *type_join(Types *types, Type *a, Type *b);
/* Are they the same type? Binds nothing: an unbound variable equals only itself. TYPE_ERROR equals everything. */
bool type_equal(const Type *a, const Type *b);
/* Can a value be null: an interface, class, future, Destiny, or null itself? The type is resolved. */
bool type_is_reference(const Type *type);
/* An instance of this data type? The type is resolved. */
bool type_is_data(const Type *type, const Decl *decl);

/* Adds "Map<Int, List<String>>" to the text; with module names if `qualified`. */
void type_print(const Type *type, bool qualified, Text *text);

#endif
