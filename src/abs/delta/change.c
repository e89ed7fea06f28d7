/* change.c - see change.h
 *
 * A name without a module means the module that the delta `uses`; without that, the only module that has it, or for
 * an addition the module in whose file the delta is, or the only one.
 */
#include "abs/delta/change.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Where a change is made. */
typedef struct DeltaPlace {
    Model *model;
    const DeltaDecl *delta;
    ModuleDecl *module;
    Name name; /* without a module */
} DeltaPlace;

static void complain(const DeltaPlace *change, const Name *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void complain(const DeltaPlace *change, const Name *place, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_add(&change->model->diags, DIAG_ERROR, place->pos, place->length ? place->length : 1, "delta '%s' %s",
             change->delta->name.text, text);
}

/* ---- Lists in the arena --------------------------------------------------------------------- */

static void *append(Model *model, void *items, uint32_t count, size_t size, const void *item)
{
    char *grown = arena_alloc(&model->arena, (count + 1) * size);
    if (count)
        memcpy(grown, items, count * size);
    memcpy(grown + count * size, item, size);
    return grown;
}

/* Adds an item to an AST_LIST; the old array may be shared. */
#define APPEND(change, list, item)                                                                          \
    do {                                                                                                    \
        (list)->items = append((change)->model, (list)->items, (list)->count, sizeof *(list)->items, &(item)); \
        (list)->count++;                                                                                    \
    } while (0)

#define REMOVE(list, index)                                                                                     \
    do {                                                                                                        \
        memmove(&(list)->items[index], &(list)->items[(index) + 1],                                             \
                ((list)->count - (index)-1) * sizeof *(list)->items);                                           \
        (list)->count--;                                                                                        \
    } while (0)

/* ---- Which module --------------------------------------------------------------------------- */

static ModuleDecl *find_module(const Model *model, const char *name, size_t length)
{
    for (uint32_t i = 0; i < model->modules.count; i++) {
        const char *text = model->modules.items[i]->name.text;
        if (strlen(text) == length && memcmp(text, name, length) == 0)
            return model->modules.items[i];
    }
    return NULL;
}

static bool is_users(const Model *model, const ModuleDecl *module)
{
    return !model->sources.files.items[module->file].library;
}

static int find_decl(const ModuleDecl *module, DeclKind kind, const char *name)
{
    for (uint32_t i = 0; i < module->decls.count; i++)
        if (module->decls.items[i]->kind == kind && module->decls.items[i]->name.text == name)
            return (int)i;
    return -1;
}

/* The only module of the user that declares the name, or the only one at all; NULL if there are none or several. */
static ModuleDecl *find_only(const Model *model, int kind, const char *name)
{
    ModuleDecl *found = NULL;
    for (uint32_t i = 0; i < model->modules.count; i++) {
        ModuleDecl *module = model->modules.items[i];
        if (!is_users(model, module) || (kind >= 0 && find_decl(module, (DeclKind)kind, name) < 0))
            continue;
        if (found)
            return NULL;
        found = module;
    }
    return found;
}

/* `kind` is that of a declaration that exists, or -1 for an addition. */
static bool find_place(DeltaPlace *change, const Name *name, int kind)
{
    Model *model = change->model;
    const DeltaDecl *delta = change->delta;
    const char *last = name_last_part(name->text);
    change->name = *name;
    change->name.text = intern_make(&model->names, last, strlen(last));
    if (last != name->text)
        change->module = find_module(model, name->text, (size_t)(last - name->text - 1));
    else if (delta->uses.text)
        change->module = find_module(model, delta->uses.text, strlen(delta->uses.text));
    else
        change->module = find_only(model, kind, change->name.text);
    if (!change->module && last == name->text && !delta->uses.text && kind < 0)
        change->module = delta->module;
    if (!change->module)
        complain(change, last == name->text && delta->uses.text ? &delta->uses : name,
                 "speaks of '%s', whose module is not known", name->text);
    /* A plain `new` means the same in all of a model. */
    else if (delta->legacy_new)
        change->module->legacy_new = true;
    return change->module != NULL;
}

/* The declaration that is changed or removed, or -1 (reported). */
static int find_target(DeltaPlace *change, const Name *name, DeclKind kind, const char *what, const char *verb)
{
    if (!name->text || !find_place(change, name, (int)kind))
        return -1;
    int index = find_decl(change->module, kind, change->name.text);
    if (index < 0)
        complain(change, name, "%s %s '%s', which module '%s' does not have", verb, what, change->name.text,
                 change->module->name.text);
    return index;
}

/* ---- Declarations --------------------------------------------------------------------------- */

static const char *kind_word(const Decl *decl)
{
    static const char *const words[] = {"type", "type", "exception", "function", "interface", "class", "trait"};
    return words[decl->kind];
}

static void adopt(const DeltaPlace *change, Decl *decl)
{
    decl->module = change->module;
    decl->name.text = change->name.text;
    if (decl->kind == DECL_DATA)
        for (uint32_t i = 0; i < ((DataDecl *)decl)->constructors.count; i++)
            ((DataDecl *)decl)->constructors.items[i]->decl.module = change->module;
}

static void add_decl(DeltaPlace *change, Decl *decl)
{
    if (!decl || !decl->name.text || !find_place(change, &decl->name, -1))
        return;
    if (find_decl(change->module, (DeclKind)decl->kind, change->name.text) >= 0) {
        complain(change, &decl->name, "adds %s '%s', which module '%s' already has", kind_word(decl),
                 change->name.text, change->module->name.text);
        return;
    }
    adopt(change, decl);
    APPEND(change, &change->module->decls, decl);
}

static void replace_decl(DeltaPlace *change, Decl *decl)
{
    if (!decl || !decl->name.text)
        return;
    if (decl->kind != DECL_DATA && decl->kind != DECL_SYNONYM) {
        complain(change, &decl->name, "modifies %s '%s': only classes, interfaces, data types and type synonyms can "
                 "be modified", kind_word(decl), decl->name.text);
        return;
    }
    int index = find_target(change, &decl->name, (DeclKind)decl->kind, "type", "modifies");
    if (index < 0)
        return;
    adopt(change, decl);
    change->module->decls.items[index] = decl;
}

static void remove_decl(DeltaPlace *change, const Name *name, DeclKind kind)
{
    int index = find_target(change, name, kind, kind == DECL_CLASS ? "class" : "interface", "removes");
    if (index >= 0)
        REMOVE(&change->module->decls, index);
}

/* ---- Classes -------------------------------------------------------------------------------- */

static int find_field(const ClassDecl *class, const char *name)
{
    for (uint32_t i = 0; i < class->fields.count; i++)
        if (class->fields.items[i]->name.text == name)
            return (int)i;
    return -1;
}

static void change_field(const DeltaPlace *change, ClassDecl *class, const ClassChange *part)
{
    const Name *name = &part->field->name;
    int index = name->text ? find_field(class, name->text) : -1;
    if (!name->text)
        return;
    if (part->kind == CHANGE_ADD_FIELD && index >= 0)
        complain(change, name, "adds field '%s', which class '%s' already has", name->text, class->decl.name.text);
    else if (part->kind == CHANGE_ADD_FIELD)
        APPEND(change, &class->fields, part->field);
    else if (index < 0)
        complain(change, name, "removes field '%s', which class '%s' does not have", name->text,
                 class->decl.name.text);
    else if (class->fields.items[index]->is_parameter)
        complain(change, name, "removes field '%s', which is a parameter of class '%s'", name->text,
                 class->decl.name.text);
    else
        REMOVE(&class->fields, (uint32_t)index);
}

static int find_name(const NameList *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (names->items[i].text && strcmp(name_last_part(names->items[i].text), name_last_part(name)) == 0)
            return (int)i;
    return -1;
}

static void change_interfaces(const DeltaPlace *change, ClassDecl *class, const DeltaOp *op)
{
    for (uint32_t i = 0; i < op->removes.count; i++) {
        const Name *name = &op->removes.items[i];
        int index = name->text ? find_name(&class->implements, name->text) : -1;
        if (index >= 0)
            REMOVE(&class->implements, (uint32_t)index);
        else if (name->text)
            complain(change, name, "removes interface '%s', which class '%s' does not implement", name->text,
                     class->decl.name.text);
    }
    for (uint32_t i = 0; i < op->adds.count; i++) {
        Name name = op->adds.items[i];
        if (name.text && find_name(&class->implements, name.text) < 0)
            APPEND(change, &class->implements, name);
    }
}

static void change_class(DeltaPlace *change, const DeltaOp *op)
{
    int index = find_target(change, &op->target, DECL_CLASS, "class", "modifies");
    if (index < 0)
        return;
    ClassDecl *class = (ClassDecl *)change->module->decls.items[index];
    change_interfaces(change, class, op);
    for (uint32_t i = 0; i < op->changes.count; i++) {
        ClassChange *part = op->changes.items[i];
        TraitStep *step = &part->step;
        if (part->kind == CHANGE_METHODS)
            APPEND(change, &class->changes, step);
        else
            change_field(change, class, part);
    }
}

/* ---- Interfaces ------------------------------------------------------------------------------ */

static int find_sig(const InterfaceDecl *interface, const char *name)
{
    for (uint32_t i = 0; i < interface->methods.count; i++)
        if (interface->methods.items[i]->name.text == name)
            return (int)i;
    return -1;
}

static void change_sig(const DeltaPlace *change, InterfaceDecl *interface, SigChange *part)
{
    const Name *name = &part->sig->name;
    int index = name->text ? find_sig(interface, name->text) : -1;
    if (!name->text)
        return;
    if (part->kind == CHANGE_ADD_SIG && index >= 0)
        complain(change, name, "adds method '%s', which interface '%s' already has", name->text,
                 interface->decl.name.text);
    else if (part->kind == CHANGE_ADD_SIG)
        APPEND(change, &interface->methods, part->sig);
    else if (index < 0)
        complain(change, name, "%s method '%s', which interface '%s' does not have",
                 part->kind == CHANGE_REMOVE_SIG ? "removes" : "modifies", name->text, interface->decl.name.text);
    else if (part->kind == CHANGE_MODIFY_SIG)
        interface->methods.items[index] = part->sig;
    else
        REMOVE(&interface->methods, (uint32_t)index);
}

static void change_interface(DeltaPlace *change, const DeltaOp *op)
{
    int index = find_target(change, &op->target, DECL_INTERFACE, "interface", "modifies");
    for (uint32_t i = 0; index >= 0 && i < op->sigs.count; i++)
        change_sig(change, (InterfaceDecl *)change->module->decls.items[index], &op->sigs.items[i]);
}

/* ---- Imports and exports ---------------------------------------------------------------------- */

static void add_port(DeltaPlace *change, const DeltaOp *op)
{
    Name here = change->delta->name;
    if (!find_place(change, &here, -1))
        return;
    Port port = op->port;
    if (op->kind == DELTA_IMPORT)
        APPEND(change, &change->module->imports, port);
    else
        APPEND(change, &change->module->exports, port);
}

void change_module(Model *model, const DeltaDecl *delta, DeltaOp *op)
{
    DeltaPlace change = {.model = model, .delta = delta};
    switch (op->kind) {
    case DELTA_ADD: add_decl(&change, op->decl); break;
    case DELTA_REPLACE: replace_decl(&change, op->decl); break;
    case DELTA_REMOVE_CLASS: remove_decl(&change, &op->target, DECL_CLASS); break;
    case DELTA_REMOVE_INTERFACE: remove_decl(&change, &op->target, DECL_INTERFACE); break;
    case DELTA_MODIFY_CLASS: change_class(&change, op); break;
    case DELTA_MODIFY_INTERFACE: change_interface(&change, op); break;
    case DELTA_IMPORT:
    case DELTA_EXPORT: add_port(&change, op); break;
    }
}
