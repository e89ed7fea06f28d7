/* check_type.c - what type names mean */
#include "abs/check/check_internal.h"

#include <string.h>

enum { LARGEST_TYPE = 2000 };

Decl *check_find(Checker *c, NameSpace space, const Name *name, const char *what)
{
    Decl *decl = NULL;
    if (!name->text)
        return NULL;
    switch (scope_find(c->model, c->module, space, name->text, &decl)) {
    case LOOKUP_FOUND: break;
    case LOOKUP_UNKNOWN: check_unknown(c, name, what); break;
    case LOOKUP_AMBIGUOUS:
        check_error(c, name->pos, name->length, "'%s' is imported from several modules; write it with its module",
                    name->text);
        break;
    case LOOKUP_HIDDEN:
        check_error(c, name->pos, name->length, "'%s' is not exported by its module", name->text);
        break;
    }
    return decl;
}

static Type *find_type_param(const Checker *c, const char *name)
{
    for (uint32_t i = 0; c->type_params && i < c->type_params->count; i++)
        if (c->type_params->items[i].text == name)
            return c->param_types[i];
    return NULL;
}

static void check_param_name(Checker *c, const NameList *names, uint32_t i)
{
    const Name *name = &names->items[i];
    Decl *decl;
    for (uint32_t k = 0; k < i; k++)
        if (names->items[k].text == name->text)
            check_error(c, name->pos, name->length, "type parameter '%s' occurs twice", name->text);
    if (name->text && scope_find(c->model, c->module, SPACE_TYPE, name->text, &decl) == LOOKUP_FOUND &&
        c->model->sources.files.items[decl->module->file].library)
        check_error(c, name->pos, name->length, "type parameter '%s' hides a type of the library", name->text);
}

Type **check_make_params(Checker *c, const NameList *names)
{
    Type **types = arena_alloc(&c->model->arena, names->count * sizeof *types);
    for (uint32_t i = 0; i < names->count; i++) {
        types[i] = type_make_param(&c->types, names->items[i].text ? names->items[i].text : "?");
        check_param_name(c, names, i);
    }
    return types;
}

Type **check_make_vars(Checker *c, uint32_t count)
{
    Type **types = arena_alloc(&c->model->arena, count * sizeof *types);
    for (uint32_t i = 0; i < count; i++)
        types[i] = type_make_var(&c->types);
    return types;
}

static unsigned count_nodes(const Type *type, unsigned limit)
{
    unsigned count = 1;
    for (uint32_t i = 0; i < type->count && count <= limit; i++)
        count += count_nodes(type->args[i], limit - count);
    return count;
}

/* A synonym is resolved in the module that defines it, at its first use. */
Type *check_synonym(Checker *c, SynonymDecl *synonym)
{
    if (synonym->type)
        return synonym->type;
    const Name *name = &synonym->decl.name;
    if (synonym->decl.resolving) {
        check_error(c, name->pos, name->length, "type '%s' is defined by itself", name->text);
        return c->types.error;
    }
    ModuleDecl *module = c->module;
    const NameList *params = c->type_params;
    c->module = synonym->decl.module;
    c->type_params = NULL;
    synonym->decl.resolving = true;
    Type *type = check_type(c, synonym->type_ref);
    synonym->decl.resolving = false;
    c->module = module;
    c->type_params = params;
    if (count_nodes(type, LARGEST_TYPE) > LARGEST_TYPE) {
        check_error(c, name->pos, name->length, "type '%s' is too large", name->text);
        type = c->types.error;
    }
    return synonym->type = type;
}

static bool args_counted(Checker *c, const TypeRef *ref, uint32_t expected)
{
    if (ref->args.count == expected)
        return true;
    check_error(c, ref->name.pos, ref->name.length, "type '%s' takes %u type argument%s, found %u", ref->name.text,
                expected, expected == 1 ? "" : "s", ref->args.count);
    return false;
}

static Type *make_data_type(Checker *c, const TypeRef *ref, DataDecl *data)
{
    if (!args_counted(c, ref, data->type_params.count))
        return c->types.error;
    Type **args = arena_alloc(&c->model->arena, ref->args.count * sizeof *args);
    for (uint32_t i = 0; i < ref->args.count; i++)
        args[i] = check_type(c, ref->args.items[i]);
    return type_make_data(&c->types, data, args);
}

/* The name of an exception may be used as a type: that of all exceptions. */
static bool is_exception(Checker *c, const Name *name)
{
    Decl *decl;
    return scope_find(c->model, c->module, SPACE_TYPE, name->text, &decl) != LOOKUP_FOUND &&
           scope_find(c->model, c->module, SPACE_CONSTRUCTOR, name->text, &decl) == LOOKUP_FOUND &&
           &((ConstructorDecl *)decl)->data->decl == c->types.exception->decl;
}

static bool is_class_only(Checker *c, const Name *name)
{
    Decl *decl;
    if (scope_find(c->model, c->module, SPACE_TYPE, name->text, &decl) == LOOKUP_FOUND ||
        scope_find(c->model, c->module, SPACE_CLASS, name->text, &decl) != LOOKUP_FOUND)
        return false;
    check_error(c, name->pos, name->length, "'%s' is a class; a type must be an interface or data type", name->text);
    return true;
}

Type *check_type(Checker *c, const TypeRef *ref)
{
    if (!ref->name.text)
        return c->types.error;
    Type *param = find_type_param(c, ref->name.text);
    if (param)
        return args_counted(c, ref, 0) ? param : c->types.error;
    if (is_exception(c, &ref->name))
        return c->types.exception;
    if (is_class_only(c, &ref->name))
        return c->types.error;
    Decl *decl = check_find(c, SPACE_TYPE, &ref->name, "type");
    if (!decl)
        return c->types.error;
    if (decl->kind == DECL_DATA)
        return make_data_type(c, ref, (DataDecl *)decl);
    if (!args_counted(c, ref, 0))
        return c->types.error;
    if (decl->kind == DECL_SYNONYM)
        return check_synonym(c, (SynonymDecl *)decl);
    return type_make_interface(&c->types, (InterfaceDecl *)decl);
}
