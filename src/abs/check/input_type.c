/* input_type.c - see input_type.h */
#include "abs/check/input_type.h"

enum { MOST_DECLS = 64 };

/* The data types that were looked at. */
typedef struct SeenTypes {
    const Types *types;
    const Decl *decls[MOST_DECLS];
    uint32_t count;
} SeenTypes;

static bool is_input(SeenTypes *seen, Type *type);

static bool are_inputs(SeenTypes *seen, Type **types, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!is_input(seen, types[i]))
            return false;
    return true;
}

static bool add(SeenTypes *seen, const Decl *decl, bool *added)
{
    *added = true;
    for (uint32_t i = 0; i < seen->count; i++)
        if (seen->decls[i] == decl)
            *added = false;
    if (!*added)
        return true;
    if (seen->count == MOST_DECLS)
        return false;
    seen->decls[seen->count++] = decl;
    return true;
}

static bool is_number_or_text(const Types *types, const Decl *decl)
{
    return decl == types->integer->decl || decl == types->boolean->decl || decl == types->unit->decl ||
           decl == types->rational->decl || decl == types->floating->decl || decl == types->string->decl;
}

/* Its own arguments are looked at wherever the type occurs, so a parameter inside its declaration is no obstacle. */
static bool is_input(SeenTypes *seen, Type *type)
{
    bool added;
    const Types *types = seen->types;
    type = type_resolve(type);
    if (type->kind == TYPE_PARAM && seen->count)
        return true;
    if (type->kind != TYPE_DATA)
        return false;
    if (is_number_or_text(types, type->decl))
        return true;
    const DataDecl *data = (const DataDecl *)type->decl;
    if (type->decl == types->exception->decl || data == types->set || data == types->map ||
        data->constructors.count == 0 || !add(seen, type->decl, &added) || !are_inputs(seen, type->args, type->count))
        return false;
    for (uint32_t i = 0; added && i < data->constructors.count; i++) {
        const ConstructorDecl *constructor = data->constructors.items[i];
        if (!constructor->types || !are_inputs(seen, constructor->types, constructor->params.count))
            return false;
    }
    return true;
}

bool type_can_be_input(const Types *types, Type *type)
{
    SeenTypes seen = {.types = types};
    return is_input(&seen, type) && type_resolve(type)->decl != types->unit->decl;
}
