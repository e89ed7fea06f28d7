/* scope.h - which names a module defines, imports and exports
 *
 * A name may stand for several things at once, one in each name space: a class and
 * an interface often share theirs, so do a data type and its constructor.
 */
#ifndef ABS_SYNTAX_SCOPE_H
#define ABS_SYNTAX_SCOPE_H

#include "abs/syntax/ast.h"

typedef enum NameSpace {
    SPACE_TYPE, SPACE_CLASS, SPACE_CONSTRUCTOR, SPACE_FUNCTION,
    SPACE_SECOND, /* second-order functions: `map` is also a function */
    SPACE_TRAIT, SPACE_COUNT
} NameSpace;

typedef struct Scope {
    Map own[SPACE_COUNT];      /* interned simple name -> Decl * */
    Map imported[SPACE_COUNT]; /* likewise; a name imported with two meanings -> 0 */
    Map exported[SPACE_COUNT];
} Scope;

/* Fills the scopes of all modules. Reports duplicate definitions, unknown modules and names that are not exported. */
void scope_build(Model *model);
void scope_destroy(Scope *scope);

typedef enum Lookup { LOOKUP_FOUND, LOOKUP_UNKNOWN, LOOKUP_AMBIGUOUS, LOOKUP_HIDDEN } Lookup;

/* What `name` (maybe qualified) refers to in the module. LOOKUP_HIDDEN: the module it is qualified with defines it but
 * does not export it. `decl` is set for LOOKUP_FOUND only. */
Lookup scope_find(const Model *model, const ModuleDecl *module, NameSpace space, const char *name, Decl **decl);

/* A definition of the standard library, which must exist. */
Decl *scope_get_library(const Model *model, NameSpace space, const char *name);
const ModuleDecl *scope_find_module(const Model *model, const char *name);

#endif
