/* scope.c - see scope.h
 *
 * Exports and imports refer to each other (a module may export what it imports), so both are added iteratively until
 * a fixed point is reached.
 */
#include "abs/syntax/scope.h"

#include <stdlib.h>
#include <string.h>

#define LIBRARY "ABS.StdLib"

/* ---- Lifecycle ------------------------------------------------------------ */

void scope_destroy(Scope *scope)
{
    if (!scope)
        return;
    for (unsigned space = 0; space < SPACE_COUNT; space++) {
        map_release(&scope->own[space]);
        map_release(&scope->imported[space]);
        map_release(&scope->exported[space]);
    }
    free(scope);
}

/* ---- Lookup ------------------------------------------------------------------ */

static Decl *get_decl(const Map *map, const char *name)
{
    uint64_t *value = map_find(map, map_key(name));
    return value ? (Decl *)(uintptr_t)*value : NULL;
}

static const char *find_interned(const Model *model, const char *text, size_t size)
{
    return intern_make((Intern *)&model->names, text, size);
}

const ModuleDecl *scope_find_module(const Model *model, const char *name)
{
    uint64_t *value = map_find(&model->module_names, map_key(find_interned(model, name, strlen(name))));
    return value ? (const ModuleDecl *)(uintptr_t)*value : NULL;
}

static Lookup find_qualified(const Model *model, const ModuleDecl *from, NameSpace space, const char *name, Decl **decl)
{
    const char *last = name_last_part(name);
    uint64_t *value = map_find(&model->module_names, map_key(find_interned(model, name, (size_t)(last - name - 1))));
    if (!value)
        return LOOKUP_UNKNOWN;
    const ModuleDecl *module = (const ModuleDecl *)(uintptr_t)*value;
    const char *simple = find_interned(model, last, strlen(last));
    Decl *found = get_decl(module == from ? &module->scope->own[space] : &module->scope->exported[space], simple);
    if (!found)
        return get_decl(&module->scope->own[space], simple) ? LOOKUP_HIDDEN : LOOKUP_UNKNOWN;
    *decl = found;
    return LOOKUP_FOUND;
}

Lookup scope_find(const Model *model, const ModuleDecl *module, NameSpace space, const char *name, Decl **decl)
{
    if (strchr(name, '.'))
        return find_qualified(model, module, space, name, decl);
    Decl *found = get_decl(&module->scope->own[space], name);
    if (!found) {
        uint64_t *value = map_find(&module->scope->imported[space], map_key(name));
        if (!value)
            return LOOKUP_UNKNOWN;
        if (!*value)
            return LOOKUP_AMBIGUOUS;
        found = (Decl *)(uintptr_t)*value;
    }
    *decl = found;
    return LOOKUP_FOUND;
}

Decl *scope_get_library(const Model *model, NameSpace space, const char *name)
{
    const ModuleDecl *library = scope_find_module(model, LIBRARY);
    return get_decl(&library->scope->own[space], find_interned(model, name, strlen(name)));
}

/* ---- Definitions --------------------------------------------------------------- */

static void report_duplicate(Model *model, const Name *name, const char *what)
{
    diag_add(&model->diags, DIAG_ERROR, name->pos, name->length, "%s '%s' is already defined in this module", what,
             name->text);
}

static bool define(ModuleDecl *module, NameSpace space, Decl *decl)
{
    bool added;
    uint64_t *value = map_insert(&module->scope->own[space], map_key(decl->name.text), &added);
    if (added)
        *value = map_key(decl);
    return added;
}

static FunctionDecl *make_accessor(Model *model, const ConstructorDecl *constructor, const Param *param)
{
    FunctionDecl *function = arena_zero(&model->arena, sizeof *function);
    function->decl.kind = DECL_FUNCTION;
    function->decl.name = param->name;
    function->decl.module = constructor->decl.module;
    function->kind = FUNCTION_ACCESSOR;
    function->accessed = constructor->data;
    function->result_ref = param->type_ref;
    return function;
}

/* Constructors of one type may share an accessor. */
static void define_accessors(Model *model, ModuleDecl *module, const ConstructorDecl *constructor)
{
    for (uint32_t i = 0; i < constructor->params.count; i++) {
        const Param *param = &constructor->params.items[i];
        if (!param->name.text)
            continue;
        FunctionDecl *known = (FunctionDecl *)get_decl(&module->scope->own[SPACE_FUNCTION], param->name.text);
        if (known && known->kind == FUNCTION_ACCESSOR && known->accessed == constructor->data)
            continue;
        if (!define(module, SPACE_FUNCTION, &make_accessor(model, constructor, param)->decl))
            report_duplicate(model, &param->name, "function");
    }
}

static void define_constructor(Model *model, ModuleDecl *module, ConstructorDecl *constructor)
{
    if (!constructor->decl.name.text)
        return;
    constructor->number = model->constructors.count;
    VEC_PUSH(&model->constructors, constructor);
    if (!define(module, SPACE_CONSTRUCTOR, &constructor->decl))
        report_duplicate(model, &constructor->decl.name, "constructor");
    define_accessors(model, module, constructor);
}

static void define_data(Model *model, ModuleDecl *module, DataDecl *data)
{
    if (!define(module, SPACE_TYPE, &data->decl))
        report_duplicate(model, &data->decl.name, "type");
    for (uint32_t i = 0; i < data->constructors.count; i++)
        define_constructor(model, module, data->constructors.items[i]);
}

static void define_class(Model *model, ModuleDecl *module, ClassDecl *class)
{
    class->number = model->classes.count;
    VEC_PUSH(&model->classes, class);
    if (!define(module, SPACE_CLASS, &class->decl))
        report_duplicate(model, &class->decl.name, "class");
}

static void define_decl(Model *model, ModuleDecl *module, Decl *decl)
{
    switch ((DeclKind)decl->kind) {
    case DECL_DATA: define_data(model, module, (DataDecl *)decl); break;
    case DECL_CONSTRUCTOR: define_constructor(model, module, (ConstructorDecl *)decl); break;
    case DECL_CLASS: define_class(model, module, (ClassDecl *)decl); break;
    case DECL_SYNONYM:
    case DECL_INTERFACE:
        if (decl->kind == DECL_INTERFACE) {
            ((InterfaceDecl *)decl)->number = model->interfaces.count;
            VEC_PUSH(&model->interfaces, (InterfaceDecl *)decl);
        }
        if (!define(module, SPACE_TYPE, decl))
            report_duplicate(model, &decl->name, "type");
        break;
    case DECL_FUNCTION:
        if (!define(module, ((FunctionDecl *)decl)->function_params.count ? SPACE_SECOND : SPACE_FUNCTION, decl))
            report_duplicate(model, &decl->name, "function");
        break;
    case DECL_TRAIT:
        if (!define(module, SPACE_TRAIT, decl))
            report_duplicate(model, &decl->name, "trait");
        break;
    }
}

/* Exceptions belong to the library's type Exception, wherever they are declared. */
static void adopt_exceptions(Model *model)
{
    DataDecl *exception = (DataDecl *)scope_get_library(model, SPACE_TYPE, "Exception");
    for (uint32_t i = 0; i < model->constructors.count; i++)
        if (!model->constructors.items[i]->data)
            model->constructors.items[i]->data = exception;
    for (uint32_t i = 0; i < model->modules.count; i++) {
        Map *functions = &model->modules.items[i]->scope->own[SPACE_FUNCTION];
        for (uint32_t k = 0; k < functions->room; k++) {
            if (functions->entries[k].key == MAP_NO_KEY)
                continue;
            FunctionDecl *function = (FunctionDecl *)(uintptr_t)functions->entries[k].value;
            if (function->kind == FUNCTION_ACCESSOR && !function->accessed)
                function->accessed = exception;
        }
    }
}

static void define_modules(Model *model)
{
    for (uint32_t i = 0; i < model->modules.count; i++) {
        ModuleDecl *module = model->modules.items[i];
        bool added;
        uint64_t *value = map_insert(&model->module_names, map_key(module->name.text), &added);
        if (added)
            *value = map_key(module);
        else
            diag_add(&model->diags, DIAG_ERROR, module->name.pos, module->name.length, "module '%s' is already defined",
                     module->name.text);
        module->scope = mem_alloc(sizeof(Scope));
        for (uint32_t k = 0; k < module->decls.count; k++)
            define_decl(model, module, module->decls.items[k]);
    }
    adopt_exceptions(model);
}

/* ---- Imports and exports ---------------------------------------------------------- */

typedef struct Linker {
    Model *model;
    bool changed;
    bool final; /* the last iteration: what is missing now is an error */
} Linker;

static void add_name(Linker *linker, Map *map, const char *name, const Decl *decl, bool may_clash)
{
    bool added;
    uint64_t *value = map_insert(map, map_key(name), &added);
    if (added) {
        *value = map_key(decl);
        linker->changed = true;
    } else if (may_clash && *value != map_key(decl) && *value) {
        *value = 0;
        linker->changed = true;
    }
}

/* Adds `name`, with all its meanings in `from`, to `to`. False if it has none. */
static bool add_meanings(Linker *linker, Map *to, const Map *from, const char *name, bool may_clash)
{
    bool any = false;
    for (unsigned space = 0; space < SPACE_COUNT; space++) {
        Decl *decl = get_decl(&from[space], name);
        if (decl)
            add_name(linker, &to[space], name, decl, may_clash);
        any |= decl != NULL;
    }
    return any;
}

static void add_all(Linker *linker, Map *to, const Map *from, bool may_clash)
{
    for (unsigned space = 0; space < SPACE_COUNT; space++)
        for (uint32_t i = 0; i < from[space].room; i++) {
            const MapEntry *entry = &from[space].entries[i];
            if (entry->key != MAP_NO_KEY && entry->value)
                add_name(linker, &to[space], (const char *)(uintptr_t)entry->key, (Decl *)(uintptr_t)entry->value,
                         may_clash);
        }
}

static void report_missing(Linker *linker, const Name *name, const char *module, const char *verb)
{
    if (linker->final && !linker->model->syntax_errors)
        diag_add(&linker->model->diags, DIAG_ERROR, name->pos, name->length, "module '%s' does not %s '%s'", module,
                 verb, name->text);
}

static void report_unknown_module(Model *model, const Name *name)
{
    FileNames places = {0};
    Text list = {0};
    const SourceFile *importer = source_place(&model->sources, name->pos).file;
    reading_list_places(&model->reading, importer->name, &places);
    for (uint32_t i = 0; i < places.count; i++)
        text_add(&list, "%s%s", i ? ", " : "", places.items[i]);
    diag_add(&model->diags, DIAG_ERROR, name->pos, name->length,
             "module '%s' is not known; looked for in %s (--path=DIR adds a directory)", name->text,
             text_borrow(&list));
    text_release(&list);
    file_names_release(&places);
}

static const ModuleDecl *find_source(Linker *linker, ModuleDecl *module, const Name *name)
{
    const ModuleDecl *source = scope_find_module(linker->model, name->text);
    if (source)
        return source;
    module->imports_unsupported = true;
    if (!linker->final)
        return NULL;
    report_unknown_module(linker->model, name);
    return NULL;
}

/* import M.a; makes only the qualified name usable, which it is anyway: only checked. */
static void check_qualified_import(Linker *linker, ModuleDecl *module, const Name *name)
{
    const char *last = name_last_part(name->text);
    if (last == name->text) {
        if (linker->final)
            diag_add(&linker->model->diags, DIAG_ERROR, name->pos, name->length,
                     "expected 'from' and a module, or a qualified name");
        return;
    }
    Name prefix = *name;
    prefix.text = find_interned(linker->model, name->text, (size_t)(last - name->text - 1));
    const ModuleDecl *source = find_source(linker, module, &prefix);
    if (!source)
        return;
    const char *simple = find_interned(linker->model, last, strlen(last));
    for (unsigned space = 0; space < SPACE_COUNT; space++)
        if (get_decl(&source->scope->exported[space], simple))
            return;
    report_missing(linker, name, source->name.text, "export");
}

/* A name imported explicitly must not be defined here too; one imported with `*` is hidden by the definition. */
static void check_clash(Linker *linker, const ModuleDecl *module, const ModuleDecl *source, const Name *name)
{
    for (unsigned space = 0; space < SPACE_COUNT && linker->final; space++)
        if (source != module && get_decl(&module->scope->own[space], name->text) &&
            get_decl(&source->scope->exported[space], name->text)) {
            diag_add(&linker->model->diags, DIAG_ERROR, name->pos, name->length,
                     "'%s' is imported and also defined in this module", name->text);
            return;
        }
}

static void link_import(Linker *linker, ModuleDecl *module, const Port *port)
{
    if (!port->from.text) {
        for (uint32_t i = 0; i < port->names.count; i++)
            if (port->names.items[i].text)
                check_qualified_import(linker, module, &port->names.items[i]);
        return;
    }
    const ModuleDecl *source = find_source(linker, module, &port->from);
    if (!source)
        return;
    if (port->all)
        add_all(linker, module->scope->imported, source->scope->exported, true);
    for (uint32_t i = 0; i < port->names.count; i++) {
        const Name *name = &port->names.items[i];
        if (!name->text)
            continue;
        if (!add_meanings(linker, module->scope->imported, source->scope->exported, name->text, true))
            report_missing(linker, name, source->name.text, "export");
        check_clash(linker, module, source, name);
    }
}

/* Does the module import `name` from `source`, with or without its qualified name? */
static bool imports_name(const ModuleDecl *module, const ModuleDecl *source, const char *name)
{
    for (uint32_t i = 0; i < module->imports.count; i++) {
        const Port *port = &module->imports.items[i];
        if (port->from.text && port->from.text != source->name.text)
            continue;
        if (port->from.text && port->all)
            return true;
        for (uint32_t k = 0; k < port->names.count; k++) {
            const char *text = port->names.items[k].text;
            size_t length = strlen(source->name.text);
            if (!text || strcmp(name_last_part(text), name) != 0)
                continue;
            if (port->from.text || (strncmp(text, source->name.text, length) == 0 && text[length] == '.'))
                return true;
        }
    }
    return false;
}

/* export ... from M: what M exports and this module imports. */
static void link_reexport(Linker *linker, ModuleDecl *module, const Port *port)
{
    const ModuleDecl *source = find_source(linker, module, &port->from);
    if (!source)
        return;
    for (unsigned space = 0; space < SPACE_COUNT && port->all; space++)
        for (uint32_t i = 0; i < source->scope->exported[space].room; i++) {
            const MapEntry *entry = &source->scope->exported[space].entries[i];
            const char *name = (const char *)(uintptr_t)entry->key;
            if (entry->key != MAP_NO_KEY && imports_name(module, source, name))
                add_name(linker, &module->scope->exported[space], name, (Decl *)(uintptr_t)entry->value, false);
        }
    for (uint32_t i = 0; i < port->names.count; i++) {
        const Name *name = &port->names.items[i];
        const Map *from = source == module ? source->scope->own : source->scope->exported;
        if (name->text && (!imports_name(module, source, name->text) ||
                           !add_meanings(linker, module->scope->exported, from, name->text, false)))
            report_missing(linker, name, module->name.text, "import");
    }
}

static void link_export(Linker *linker, ModuleDecl *module, const Port *port)
{
    if (port->from.text) {
        link_reexport(linker, module, port);
        return;
    }
    if (port->all)
        add_all(linker, module->scope->exported, module->scope->own, false);
    for (uint32_t i = 0; i < port->names.count; i++) {
        const Name *name = &port->names.items[i];
        if (!name->text)
            continue;
        const char *last = name_last_part(name->text);
        const char *simple = find_interned(linker->model, last, strlen(last));
        if (!add_meanings(linker, module->scope->exported, module->scope->own, simple, false) &&
            !add_meanings(linker, module->scope->exported, module->scope->imported, simple, false))
            report_missing(linker, name, module->name.text, "define or import");
    }
}

/* Every module imports the whole library, unless it imports parts of it explicitly. */
static void link_library(Linker *linker, ModuleDecl *module)
{
    const ModuleDecl *library = scope_find_module(linker->model, LIBRARY);
    if (!library || library == module)
        return;
    for (uint32_t i = 0; i < module->imports.count; i++)
        if (module->imports.items[i].from.text && strcmp(module->imports.items[i].from.text, LIBRARY) == 0)
            return;
    add_all(linker, module->scope->imported, library->scope->exported, false);
}

static void link_round(Linker *linker)
{
    linker->changed = false;
    for (uint32_t i = 0; i < linker->model->modules.count; i++) {
        ModuleDecl *module = linker->model->modules.items[i];
        for (uint32_t k = 0; k < module->imports.count; k++)
            link_import(linker, module, &module->imports.items[k]);
        for (uint32_t k = 0; k < module->exports.count; k++)
            link_export(linker, module, &module->exports.items[k]);
    }
}

void scope_build(Model *model)
{
    Linker linker = {.model = model};
    define_modules(model);
    do
        link_round(&linker);
    while (linker.changed);
    for (uint32_t i = 0; i < model->modules.count; i++)
        link_library(&linker, model->modules.items[i]);
    linker.final = true;
    link_round(&linker);
}
