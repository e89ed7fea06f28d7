/* types.c - see types.h */
#include "abs/check/types.h"

#include <string.h>

#include "abs/syntax/scope.h"

/* A type may be small in memory and huge as a tree. Traversals count their steps; beyond this many, the rest counts as
 * fitting. */
enum { MOST_STEPS = 20000 };

/* ---- Making types ----------------------------------------------------------- */

static Type *new_type(Types *types, TypeKind kind)
{
    Type *type = arena_zero(types->arena, sizeof *type);
    type->kind = (uint8_t)kind;
    return type;
}

static Type *get_library_type(Types *types, Model *model, const char *name)
{
    return type_make_data(types, (DataDecl *)scope_get_library(model, SPACE_TYPE, name), NULL);
}

void types_init(Types *types, Model *model)
{
    *types = (Types){.arena = &model->arena};
    types->error = new_type(types, TYPE_ERROR);
    types->null = new_type(types, TYPE_NULL);
    types->bottom = new_type(types, TYPE_BOTTOM);
    types->unit = get_library_type(types, model, "Unit");
    types->boolean = get_library_type(types, model, "Bool");
    types->integer = get_library_type(types, model, "Int");
    types->rational = get_library_type(types, model, "Rat");
    types->floating = get_library_type(types, model, "Float");
    types->string = get_library_type(types, model, "String");
    types->exception = get_library_type(types, model, "Exception");
    types->destiny = get_library_type(types, model, "Destiny");
    types->future = (DataDecl *)scope_get_library(model, SPACE_TYPE, "Fut");
    types->list = (DataDecl *)scope_get_library(model, SPACE_TYPE, "List");
    types->set = (DataDecl *)scope_get_library(model, SPACE_TYPE, "Set");
    types->map = (DataDecl *)scope_get_library(model, SPACE_TYPE, "Map");
    types->object = (InterfaceDecl *)scope_get_library(model, SPACE_TYPE, "Object");
}

Type *type_make_data(Types *types, DataDecl *decl, Type **args)
{
    Type *type = new_type(types, TYPE_DATA);
    type->decl = &decl->decl;
    type->args = args;
    type->count = decl->type_params.count;
    return type;
}

Type *type_make_future(Types *types, Type *value)
{
    Type **args = arena_alloc(types->arena, sizeof *args);
    args[0] = value;
    return type_make_data(types, types->future, args);
}

Type *type_make_interface(Types *types, InterfaceDecl *decl)
{
    Type *type = new_type(types, TYPE_INTERFACE);
    type->decl = &decl->decl;
    return type;
}

Type *type_make_class(Types *types, ClassDecl *decl)
{
    Type *type = new_type(types, TYPE_CLASS);
    type->decl = &decl->decl;
    return type;
}

Type *type_make_param(Types *types, const char *name)
{
    Type *type = new_type(types, TYPE_PARAM);
    type->name = name;
    return type;
}

Type *type_make_var(Types *types)
{
    return new_type(types, TYPE_VAR);
}

Type *type_make_function(Types *types, Type **args, uint32_t count, Type *result)
{
    Type *type = new_type(types, TYPE_FUNCTION);
    type->args = arena_alloc(types->arena, (count + 1) * sizeof *args);
    if (count)
        memcpy(type->args, args, count * sizeof *args);
    type->args[count] = result;
    type->count = count + 1;
    return type;
}

/* ---- Variables ------------------------------------------------------------------ */

Type *type_resolve(Type *type)
{
    while (type->kind == TYPE_VAR && type->bound)
        type = type->bound;
    return type;
}

/* The last variable of a chain, whose bound counts; the type itself if it is no variable. */
static Type *find_root(Type *type)
{
    while (type->kind == TYPE_VAR && type->bound && type->bound->kind == TYPE_VAR)
        type = type->bound;
    return type;
}

static bool occurs(const Type *var, Type *type, unsigned *steps)
{
    type = type_resolve(type);
    if (type == var || ++*steps > MOST_STEPS)
        return true;
    for (uint32_t i = 0; i < type->count; i++)
        if (occurs(var, type->args[i], steps))
            return true;
    return false;
}

static bool bind(Type *var, Type *type, bool soft)
{
    unsigned steps = 0;
    if (type_resolve(type) == var)
        return true;
    if (occurs(var, type, &steps))
        return false;
    var->bound = type;
    var->soft = soft;
    return true;
}

Type *type_substitute(Types *types, Type *type, Type **params, Type **args, uint32_t count)
{
    type = type_resolve(type);
    for (uint32_t i = 0; i < count && type->kind == TYPE_PARAM; i++)
        if (params[i] == type)
            return args[i];
    if (type->count == 0 || count == 0)
        return type;
    Type *copy = new_type(types, (TypeKind)type->kind);
    *copy = *type;
    copy->args = arena_alloc(types->arena, type->count * sizeof *copy->args);
    for (uint32_t i = 0; i < type->count; i++)
        copy->args[i] = type_substitute(types, type->args[i], params, args, count);
    return copy;
}

/* ---- Subtyping -------------------------------------------------------------------- */

static bool interface_extends(const Types *types, const InterfaceDecl *interface, const InterfaceDecl *parent)
{
    if (interface == parent || parent == types->object)
        return true;
    for (uint32_t i = 0; i < interface->ancestors.count; i++)
        if (interface->ancestors.items[i] == parent)
            return true;
    return false;
}

static bool class_implements(const Types *types, const ClassDecl *class, const InterfaceDecl *interface)
{
    if (interface == types->object)
        return true;
    for (uint32_t i = 0; i < class->interfaces.count; i++)
        if (interface_extends(types, class->interfaces.items[i], interface))
            return true;
    return false;
}

bool type_is_data(const Type *type, const Decl *decl)
{
    return type->kind == TYPE_DATA && type->decl == decl;
}

bool type_is_reference(const Type *type)
{
    if (type->kind == TYPE_INTERFACE || type->kind == TYPE_CLASS || type->kind == TYPE_NULL)
        return true;
    return type->kind == TYPE_DATA && (strcmp(type->decl->name.text, "Fut") == 0 ||
                                       strcmp(type->decl->name.text, "Destiny") == 0);
}

static bool fits(Types *types, Type *from, Type *to);
static Type *join(Types *types, Type *a, Type *b);

static bool args_fit(Types *types, Type *from, Type *to)
{
    for (uint32_t i = 0; i < from->count; i++)
        if (!fits(types, from->args[i], to->args[i]))
            return false;
    return true;
}

static bool data_fits(Types *types, Type *from, Type *to)
{
    if (from->decl == to->decl)
        return args_fit(types, from, to);
    if (from->decl == types->integer->decl && to->decl == types->rational->decl)
        return true;
    return from->decl == &types->future->decl && to->decl == types->destiny->decl;
}

/* `to` is a variable. */
static bool fits_variable(Types *types, Type *from, Type *to)
{
    Type *root = find_root(to);
    if (!root->bound)
        return bind(root, from, true);
    if (!root->soft)
        return fits(types, from, root->bound);
    Type *joined = join(types, root->bound, from);
    if (!joined)
        return false;
    return joined == root->bound || bind(root, joined, true);
}

static bool fits(Types *types, Type *from, Type *to)
{
    if (++types->steps > MOST_STEPS || find_root(from) == find_root(to))
        return true;
    Type *f = type_resolve(from);
    if (f->kind == TYPE_ERROR || type_resolve(to)->kind == TYPE_ERROR)
        return true;
    if (f->kind == TYPE_VAR)
        return bind(f, to, false);
    if (to->kind == TYPE_VAR)
        return fits_variable(types, f, to);
    if (f->kind == TYPE_NULL)
        return type_is_reference(to);
    if (f->kind == TYPE_DATA && to->kind == TYPE_DATA)
        return data_fits(types, f, to);
    if (to->kind == TYPE_INTERFACE && f->kind == TYPE_INTERFACE)
        return interface_extends(types, (InterfaceDecl *)f->decl, (InterfaceDecl *)to->decl);
    if (to->kind == TYPE_INTERFACE && f->kind == TYPE_CLASS)
        return class_implements(types, (ClassDecl *)f->decl, (InterfaceDecl *)to->decl);
    return f == to || (f->kind == TYPE_CLASS && to->kind == TYPE_CLASS && f->decl == to->decl);
}

bool type_fits(Types *types, Type *from, Type *to)
{
    types->steps = 0;
    return fits(types, from, to);
}

/* ---- Joins --------------------------------------------------------------------------- */

/* The nearest ancestor of a (or a itself) that b has too. */
static InterfaceDecl *find_common(const Types *types, InterfaceDecl *a, const Type *b)
{
    for (uint32_t i = 0; i <= a->ancestors.count; i++) {
        InterfaceDecl *candidate = i ? a->ancestors.items[i - 1] : a;
        if (b->kind == TYPE_INTERFACE ? interface_extends(types, (InterfaceDecl *)b->decl, candidate)
                                      : class_implements(types, (ClassDecl *)b->decl, candidate))
            return candidate;
    }
    return types->object;
}

static Type *join_objects(Types *types, Type *a, Type *b)
{
    if (a->kind == TYPE_CLASS) {
        const ClassDecl *class = (ClassDecl *)a->decl;
        for (uint32_t i = 0; i < class->interfaces.count; i++) {
            InterfaceDecl *found = find_common(types, class->interfaces.items[i], b);
            if (found != types->object)
                return type_make_interface(types, found);
        }
        return type_make_interface(types, types->object);
    }
    return type_make_interface(types, find_common(types, (InterfaceDecl *)a->decl, b));
}

static Type *join_args(Types *types, Type *a, Type *b)
{
    Type **args = arena_alloc(types->arena, a->count * sizeof *args);
    for (uint32_t i = 0; i < a->count; i++) {
        args[i] = join(types, a->args[i], b->args[i]);
        if (!args[i])
            return NULL;
    }
    return type_make_data(types, (DataDecl *)a->decl, args);
}

static bool is_object(const Type *type)
{
    return type->kind == TYPE_INTERFACE || type->kind == TYPE_CLASS;
}

static Type *join(Types *types, Type *a, Type *b)
{
    Type *x = type_resolve(a), *y = type_resolve(b);
    if (++types->steps > MOST_STEPS || x == y || y->kind == TYPE_ERROR)
        return x;
    if (x->kind == TYPE_ERROR)
        return y;
    if (x->kind == TYPE_VAR || y->kind == TYPE_VAR)
        return fits(types, x->kind == TYPE_VAR ? y : x, x->kind == TYPE_VAR ? a : b) ? a : NULL;
    if (is_object(x) && is_object(y)) {
        if (fits(types, x, y))
            return y;
        return fits(types, y, x) ? x : join_objects(types, x, y);
    }
    if (x->kind == TYPE_DATA && y->kind == TYPE_DATA && x->decl == y->decl && x->count)
        return join_args(types, x, y);
    if (fits(types, x, y))
        return y;
    return fits(types, y, x) ? x : NULL;
}

Type *type_join(Types *types, Type *a, Type *b)
{
    types->steps = 0;
    return join(types, a, b);
}

static const Type *resolve_const(const Type *type)
{
    return type_resolve((Type *)type);
}

bool type_equal(const Type *a, const Type *b)
{
    a = resolve_const(a);
    b = resolve_const(b);
    if (a == b || a->kind == TYPE_ERROR || b->kind == TYPE_ERROR)
        return true;
    if (a->kind != b->kind || a->decl != b->decl || a->count != b->count || a->kind == TYPE_VAR ||
        a->kind == TYPE_PARAM)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!type_equal(a->args[i], b->args[i]))
            return false;
    return true;
}

/* ---- Printing --------------------------------------------------------------------------- */

static void print_nested(const Type *type, bool qualified, Text *text, unsigned depth)
{
    type = resolve_const(type);
    switch ((TypeKind)type->kind) {
    case TYPE_ERROR: text_add_string(text, "?"); return;
    case TYPE_NULL: text_add_string(text, "null"); return;
    case TYPE_BOTTOM: text_add_string(text, "Bottom"); return;
    case TYPE_VAR: text_add_string(text, "_"); return;
    case TYPE_PARAM: text_add_string(text, type->name); return;
    case TYPE_FUNCTION: text_add_string(text, "a function"); return;
    case TYPE_CLASS: text_add(text, "class %s", type->decl->name.text); return;
    case TYPE_DATA:
    case TYPE_INTERFACE:
        if (qualified)
            text_add(text, "%s.", type->decl->module->name.text);
        text_add_string(text, type->decl->name.text);
        break;
    }
    for (uint32_t i = 0; i < type->count && depth < 8; i++) {
        text_add_string(text, i ? ", " : "<");
        print_nested(type->args[i], qualified, text, depth + 1);
    }
    if (type->count && depth < 8)
        text_add_string(text, ">");
}

void type_print(const Type *type, bool qualified, Text *text)
{
    print_nested(type, qualified, text, 0);
}
