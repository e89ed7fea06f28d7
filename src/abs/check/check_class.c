/* check_class.c - classes: their interfaces, fields and methods */
#include "abs/check/check_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ---- Header ------------------------------------------------------------------- */

static void find_interfaces(Checker *c, ClassDecl *class)
{
    class->interfaces.items = arena_alloc(&c->model->arena, class->implements.count * sizeof(InterfaceDecl *));
    for (uint32_t i = 0; i < class->implements.count; i++) {
        const Name *name = &class->implements.items[i];
        Decl *decl = check_find(c, SPACE_TYPE, name, "interface");
        if (!decl) {
            class->decl.broken = true;
            continue;
        }
        if (decl->kind != DECL_INTERFACE)
            check_error(c, name->pos, name->length, "'%s' is not an interface", name->text);
        else
            class->interfaces.items[class->interfaces.count++] = (InterfaceDecl *)decl;
    }
}

static void check_field_types(Checker *c, ClassDecl *class)
{
    for (uint32_t i = 0; i < class->fields.count; i++) {
        Field *field = class->fields.items[i];
        field->type = check_type(c, field->type_ref);
        field->index = i;
        field->final = annotation_find(&field->annotations, "Final") ||
                       annotation_find(&field->type_ref->annotations, "Final");
        for (uint32_t k = 0; k < i; k++)
            if (field->name.text && class->fields.items[k]->name.text == field->name.text)
                check_error(c, field->name.pos, field->name.length, "field '%s' is already declared in this class",
                            field->name.text);
    }
}

static void check_method_names(Checker *c, const ClassDecl *class)
{
    for (uint32_t i = 0; i < class->methods.count; i++) {
        const MethodDecl *method = class->methods.items[i];
        for (uint32_t k = 0; k < i && !method->hidden; k++)
            if (method->sig.name.text && !class->methods.items[k]->hidden &&
                class->methods.items[k]->sig.name.text == method->sig.name.text)
                check_error(c, method->sig.name.pos, method->sig.name.length,
                            "method '%s' is already defined in class '%s'", method->sig.name.text,
                            class->decl.name.text);
    }
}

void check_class_header(Checker *c, ClassDecl *class)
{
    class->this_type = type_make_class(&c->types, class);
    find_interfaces(c, class);
    check_field_types(c, class);
    for (uint32_t i = 0; i < class->methods.count; i++)
        check_signature(c, &class->methods.items[i]->sig);
    check_method_names(c, class);
    if (annotation_find(&class->decl.annotations, "Foreign"))
        check_foreign_class(c, class);
}

MethodDecl *check_find_class_method(const ClassDecl *class, const char *name)
{
    for (uint32_t i = 0; i < class->methods.count; i++)
        if (class->methods.items[i]->sig.name.text == name && !class->methods.items[i]->hidden)
            return class->methods.items[i];
    return NULL;
}

/* ---- Implementing interfaces ------------------------------------------------------ */

static bool same_signature(const MethodSig *a, const MethodSig *b)
{
    if (a->params.count != b->params.count || !type_equal(a->result, b->result))
        return false;
    for (uint32_t i = 0; i < a->params.count; i++)
        if (!type_equal(a->types[i], b->types[i]))
            return false;
    return true;
}

static void check_implements_method(Checker *c, const ClassDecl *class, const MethodSig *sig)
{
    const MethodDecl *method = sig->name.text ? check_find_class_method(class, sig->name.text) : NULL;
    if (!sig->name.text || (!method && (c->model->syntax_errors || c->module->imports_unsupported)))
        return;
    if (!method)
        check_error(c, class->decl.name.pos, class->decl.name.length,
                    "class '%s' does not implement method '%s' of interface '%s'", class->decl.name.text,
                    sig->name.text, sig->owner->decl.name.text);
    else if (!same_signature(&method->sig, sig))
        check_error(c, method->sig.name.pos, method->sig.name.length,
                    "method '%s' has other types in interface '%s'", sig->name.text, sig->owner->decl.name.text);
}

static void check_implements(Checker *c, const ClassDecl *class)
{
    for (uint32_t i = 0; i < class->interfaces.count; i++) {
        InterfaceDecl *interface = class->interfaces.items[i];
        for (uint32_t k = 0; k <= interface->ancestors.count; k++) {
            const InterfaceDecl *owner = k ? interface->ancestors.items[k - 1] : interface;
            for (uint32_t n = 0; n < owner->methods.count; n++)
                check_implements_method(c, class, owner->methods.items[n]);
        }
    }
}

/* ---- Bodies ---------------------------------------------------------------------------- */

/* An initial value may use the parameters and the fields before it. */
static void check_field_value(Checker *c, ClassDecl *class, Field *field)
{
    uint32_t count = class->fields.count;
    class->fields.count = field->index;
    if (field->init)
        check_fits(c, check_expr(c, field->init), field->type, field->init->pos, field->init->length,
                   "as value of the field");
    else if (!field->is_parameter && !type_is_reference(field->type) && field->type->kind != TYPE_ERROR)
        check_error(c, field->name.pos, field->name.length,
                    "field '%s' needs a value: only objects and futures can be null", field->name.text);
    class->fields.count = count;
}

/* Is the method annotated with this word, in the class or in the interface that declares it? */
static bool promises(const ClassDecl *class, const MethodSig *sig, const char *word)
{
    if (annotation_find(&sig->annotations, word))
        return true;
    for (uint32_t i = 0; i < class->interfaces.count; i++) {
        const MethodSig *declared = check_find_interface_method(class->interfaces.items[i], sig->name.text);
        if (declared && annotation_find(&declared->annotations, word))
            return true;
    }
    return false;
}

static void check_method(Checker *c, ClassDecl *class, MethodDecl *method)
{
    MethodSig *sig = &method->sig;
    c->place = PLACE_METHOD;
    c->method = method;
    c->result = sig->result;
    c->atomic = sig->name.text && promises(class, sig, "Atomic");
    c->readonly = sig->name.text && promises(class, sig, "Readonly");
    uint32_t mark = check_open_scope(c);
    for (uint32_t i = 0; i < sig->params.count; i++)
        sig->params.items[i].variable = check_add_local(c, &sig->params.items[i].name, sig->types[i]);
    check_body(c, method->body, sig->name.pos, sig->name.length);
    check_close_scope(c, mark);
    c->atomic = c->readonly = false;
    c->result = NULL;
    c->method = NULL;
}

static void check_run_method(Checker *c, const ClassDecl *class)
{
    for (uint32_t i = 0; i < class->methods.count; i++) {
        const MethodSig *sig = &class->methods.items[i]->sig;
        if (sig->name.text && strcmp(sig->name.text, "run") == 0 && !class->methods.items[i]->hidden &&
            (sig->params.count || !type_equal(sig->result, c->types.unit)))
            check_error(c, sig->name.pos, sig->name.length, "method 'run' must be of type Unit and have no parameters");
    }
}

/* The methods that are there, then those that original() of checked ones calls; the others are gone. */
static void check_methods(Checker *c, ClassDecl *class)
{
    uint32_t count = class->methods.count, kept = 0, done = 0;
    bool *checked = mem_alloc((count + 1) * sizeof *checked);
    do {
        kept = done;
        for (uint32_t i = 0; i < count; i++) {
            MethodDecl *method = class->methods.items[i];
            if (checked[i] || (method->hidden && !method->wanted))
                continue;
            checked[i] = true;
            done++;
            check_method(c, class, method);
        }
    } while (done > kept);
    kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (checked[i])
            class->methods.items[kept++] = class->methods.items[i];
    class->methods.count = kept;
    free(checked);
}

void check_class(Checker *c, ClassDecl *class)
{
    c->class = class;
    c->place = PLACE_INIT;
    for (uint32_t i = 0; i < class->fields.count; i++)
        check_field_value(c, class, class->fields.items[i]);
    if (class->init)
        check_block(c, class->init);
    c->place = PLACE_RECOVER;
    check_branches(c, &class->recover, c->types.exception);
    check_methods(c, class);
    check_implements(c, class);
    check_run_method(c, class);
    check_scheduler(c, class, annotation_find(&class->decl.annotations, "Scheduler"));
    c->class = NULL;
}
