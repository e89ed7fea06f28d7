/* check_decl.c - data types, functions and interfaces; the order of checking */
#include "abs/check/check_internal.h"

#include <string.h>

/* ---- Data types ---------------------------------------------------------------- */

/* Saves the current module and type parameters: signatures are checked in the module that declares them. */
typedef struct TypeContext {
    ModuleDecl *module;
    const NameList *type_params;
    Type **param_types;
} TypeContext;

static TypeContext enter_module(Checker *c, ModuleDecl *module, const NameList *type_params, Type **param_types)
{
    TypeContext old = {c->module, c->type_params, c->param_types};
    c->module = module;
    c->type_params = type_params;
    c->param_types = param_types;
    return old;
}

static void leave_module(Checker *c, const TypeContext *old)
{
    c->module = old->module;
    c->type_params = old->type_params;
    c->param_types = old->param_types;
}

static void check_data_params(Checker *c, DataDecl *data)
{
    if (data->param_types)
        return;
    TypeContext old = enter_module(c, data->decl.module, NULL, NULL);
    data->param_types = check_make_params(c, &data->type_params);
    leave_module(c, &old);
}

void check_constructor_header(Checker *c, ConstructorDecl *constructor)
{
    DataDecl *data = constructor->data;
    check_data_params(c, data);
    if (constructor->types)
        return;
    TypeContext old = enter_module(c, constructor->decl.module, &data->type_params, data->param_types);
    constructor->types = arena_alloc(&c->model->arena, constructor->params.count * sizeof(Type *));
    for (uint32_t i = 0; i < constructor->params.count; i++)
        constructor->types[i] = check_type(c, constructor->params.items[i].type_ref);
    leave_module(c, &old);
}

/* Constructors that share an accessor must agree on its type. */
static void check_shared_accessors(Checker *c, const ConstructorDecl *constructor)
{
    for (uint32_t i = 0; i < constructor->params.count; i++) {
        const Name *name = &constructor->params.items[i].name;
        Decl *decl;
        if (!name->text || scope_find(c->model, c->module, SPACE_FUNCTION, name->text, &decl) != LOOKUP_FOUND)
            continue;
        FunctionDecl *function = (FunctionDecl *)decl;
        check_function_header(c, function);
        if (function->kind == FUNCTION_ACCESSOR && function->accessed == constructor->data &&
            !type_equal(function->result, constructor->types[i]))
            check_error(c, name->pos, name->length, "accessor '%s' has another type in another constructor",
                        name->text);
        for (uint32_t k = 0; k < i; k++)
            if (constructor->params.items[k].name.text == name->text)
                check_error(c, name->pos, name->length, "accessor '%s' occurs twice in this constructor", name->text);
    }
}

static void check_constructor(Checker *c, ConstructorDecl *constructor)
{
    check_constructor_header(c, constructor);
    check_shared_accessors(c, constructor);
}

static void check_data(Checker *c, DataDecl *data)
{
    check_data_params(c, data);
    for (uint32_t i = 0; i < data->constructors.count; i++)
        check_constructor(c, data->constructors.items[i]);
}

/* ---- Functions -------------------------------------------------------------------- */

static void check_accessor_header(Checker *c, FunctionDecl *function)
{
    DataDecl *data = function->accessed;
    check_data_params(c, data);
    function->type_params = data->type_params;
    function->param_types = data->param_types;
    TypeContext old = enter_module(c, function->decl.module, &data->type_params, data->param_types);
    function->result = check_type(c, function->result_ref);
    leave_module(c, &old);
    function->arg_count = 1;
    function->arg_types = arena_alloc(&c->model->arena, sizeof(Type *));
    function->arg_types[0] = type_make_data(&c->types, data, data->param_types);
}

static void make_function_types(Checker *c, FunctionDecl *function)
{
    TypeContext old = enter_module(c, function->decl.module, NULL, NULL);
    function->param_types = check_make_params(c, &function->type_params);
    c->type_params = &function->type_params;
    c->param_types = function->param_types;
    Type *result = check_type(c, function->result_ref);
    function->arg_count = function->params.count;
    function->arg_types = arena_alloc(&c->model->arena, function->params.count * sizeof(Type *));
    for (uint32_t i = 0; i < function->params.count; i++)
        function->arg_types[i] = check_type(c, function->params.items[i].type_ref);
    leave_module(c, &old);
    function->result = result;
}

static void declare_function_locals(Checker *c, FunctionDecl *function)
{
    uint32_t count = function->function_params.count;
    function->function_variables = arena_alloc(&c->model->arena, count * sizeof(Variable *));
    for (uint32_t i = 0; i < count; i++)
        function->function_variables[i] =
            check_declare(c, &function->function_params.items[i], type_make_var(&c->types));
    for (uint32_t i = 0; i < function->params.count; i++)
        function->params.items[i].variable =
            check_declare(c, &function->params.items[i].name, function->arg_types[i]);
}

/* Also called in the middle of other code, for a second-order function it uses. */
static void check_function_body(Checker *c, FunctionDecl *function)
{
    if (function->checked)
        return;
    function->checked = true; /* set early: a recursive call needs only the header */
    Checker inner = {.model = c->model, .types = c->types, .module = function->decl.module, .place = PLACE_FUNCTION};
    inner.function = function;
    inner.type_params = &function->type_params;
    inner.param_types = function->param_types;
    declare_function_locals(&inner, function);
    if (function->query)
        check_query(&inner, function);
    if (function->body)
        check_fits(&inner, check_expr(&inner, function->body), function->result, function->body->pos,
                   function->body->length, "as result of the function");
    VEC_FREE(&inner.locals);
    VEC_FREE(&inner.lambdas);
    VEC_FREE(&inner.lambda_bases);
}

void check_function_header(Checker *c, FunctionDecl *function)
{
    if (!function->result) {
        if (function->kind == FUNCTION_ACCESSOR)
            check_accessor_header(c, function);
        else
            make_function_types(c, function);
    }
    if (function->function_params.count)
        check_function_body(c, function);
}

static void check_function(Checker *c, FunctionDecl *function)
{
    check_function_header(c, function);
    check_function_body(c, function);
}

/* ---- Interfaces ----------------------------------------------------------------------- */

static void add_ancestor(Checker *c, InterfaceDecl *interface, InterfaceDecl *ancestor)
{
    uint32_t count = interface->ancestors.count;
    for (uint32_t i = 0; i < count; i++)
        if (interface->ancestors.items[i] == ancestor)
            return;
    InterfaceDecl **grown = arena_alloc(&c->model->arena, (count + 1) * sizeof *grown);
    if (count)
        memcpy(grown, interface->ancestors.items, count * sizeof *grown);
    grown[count] = ancestor;
    interface->ancestors.items = grown;
    interface->ancestors.count = count + 1;
}

static void find_ancestors(Checker *c, InterfaceDecl *interface)
{
    if (interface->decl.broken || interface->ancestors.items)
        return;
    interface->decl.resolving = true;
    TypeContext old = enter_module(c, interface->decl.module, NULL, NULL);
    for (uint32_t i = 0; i < interface->extends.count; i++) {
        const Name *name = &interface->extends.items[i];
        InterfaceDecl *parent = (InterfaceDecl *)check_find(c, SPACE_TYPE, name, "interface");
        if (!parent)
            continue;
        if (parent->decl.kind != DECL_INTERFACE) {
            check_error(c, name->pos, name->length, "'%s' is not an interface", name->text);
        } else if (parent->decl.resolving) {
            check_error(c, name->pos, name->length, "interface '%s' extends itself", interface->decl.name.text);
            interface->decl.broken = true;
        } else {
            find_ancestors(c, parent);
            add_ancestor(c, interface, parent);
            for (uint32_t k = 0; k < parent->ancestors.count; k++)
                add_ancestor(c, interface, parent->ancestors.items[k]);
        }
    }
    leave_module(c, &old);
    interface->decl.resolving = false;
}

void check_signature(Checker *c, MethodSig *sig)
{
    sig->types = arena_alloc(&c->model->arena, sig->params.count * sizeof(Type *));
    for (uint32_t i = 0; i < sig->params.count; i++) {
        sig->types[i] = check_type(c, sig->params.items[i].type_ref);
        for (uint32_t k = 0; k < i; k++)
            if (sig->params.items[k].name.text && sig->params.items[k].name.text == sig->params.items[i].name.text)
                check_error(c, sig->params.items[i].name.pos, sig->params.items[i].name.length,
                            "parameter '%s' occurs twice", sig->params.items[i].name.text);
    }
    sig->result = check_type(c, sig->result_ref);
}

static void check_interface_methods(Checker *c, InterfaceDecl *interface)
{
    for (uint32_t i = 0; i < interface->methods.count; i++) {
        interface->methods.items[i]->owner = interface;
        check_signature(c, interface->methods.items[i]);
    }
}

MethodSig *check_find_interface_method(InterfaceDecl *interface, const char *name)
{
    for (uint32_t i = 0; i <= interface->ancestors.count; i++) {
        const InterfaceDecl *owner = i ? interface->ancestors.items[i - 1] : interface;
        for (uint32_t k = 0; k < owner->methods.count; k++)
            if (owner->methods.items[k]->name.text == name)
                return owner->methods.items[k];
    }
    return NULL;
}

/* Two interfaces that an interface extends must not declare the same method. */
static void check_ancestors(Checker *c, const InterfaceDecl *interface)
{
    for (uint32_t i = 0; i < interface->ancestors.count; i++) {
        const InterfaceDecl *ancestor = interface->ancestors.items[i];
        for (uint32_t k = 0; k < ancestor->methods.count; k++) {
            const MethodSig *sig = ancestor->methods.items[k];
            const MethodSig *first = sig->name.text ? check_find_interface_method((InterfaceDecl *)interface,
                                                                                   sig->name.text) : sig;
            if (first != sig && first->owner != interface)
                check_error(c, interface->decl.name.pos, interface->decl.name.length,
                            "method '%s' is declared in interface '%s' and in interface '%s'", sig->name.text,
                            first->owner->decl.name.text, ancestor->decl.name.text);
        }
    }
}

/* A method has one signature in an interface and all that it extends. */
static void check_interface(Checker *c, InterfaceDecl *interface)
{
    check_ancestors(c, interface);
    for (uint32_t i = 0; i < interface->methods.count; i++) {
        const MethodSig *sig = interface->methods.items[i];
        for (uint32_t k = 0; k < i; k++)
            if (sig->name.text && interface->methods.items[k]->name.text == sig->name.text)
                check_error(c, sig->name.pos, sig->name.length, "method '%s' is already declared in this interface",
                            sig->name.text);
        for (uint32_t k = 0; k < interface->ancestors.count; k++)
            for (uint32_t n = 0; n < interface->ancestors.items[k]->methods.count; n++)
                if (sig->name.text && interface->ancestors.items[k]->methods.items[n]->name.text == sig->name.text)
                    check_error(c, sig->name.pos, sig->name.length, "method '%s' is already declared in interface '%s'",
                                sig->name.text, interface->ancestors.items[k]->decl.name.text);
    }
}

/* ---- All of them -------------------------------------------------------------------------- */

typedef void DeclCheck(Checker *c, Decl *decl);

static void for_each_decl(Checker *c, DeclKind kind, DeclCheck *check)
{
    for (uint32_t i = 0; i < c->model->modules.count; i++) {
        ModuleDecl *module = c->model->modules.items[i];
        c->module = module;
        for (uint32_t k = 0; k < module->decls.count; k++)
            if (module->decls.items[k]->kind == kind)
                check(c, module->decls.items[k]);
    }
}

static void prepare_data(Checker *c, Decl *decl) { check_data_params(c, (DataDecl *)decl); }
static void prepare_interface(Checker *c, Decl *decl) { find_ancestors(c, (InterfaceDecl *)decl); }
static void prepare_methods(Checker *c, Decl *decl) { check_interface_methods(c, (InterfaceDecl *)decl); }
static void prepare_constructors(Checker *c, Decl *decl)
{
    const DataDecl *data = (DataDecl *)decl;
    for (uint32_t i = 0; i < data->constructors.count; i++)
        check_constructor_header(c, data->constructors.items[i]);
}

static void prepare_class(Checker *c, Decl *decl) { check_class_header(c, (ClassDecl *)decl); }
static void prepare_synonym(Checker *c, Decl *decl) { check_synonym(c, (SynonymDecl *)decl); }

/* Everything that other declarations refer to, before any code. */
void check_headers(Checker *c)
{
    for_each_decl(c, DECL_DATA, prepare_data);
    for_each_decl(c, DECL_INTERFACE, prepare_interface);
    for_each_decl(c, DECL_SYNONYM, prepare_synonym);
    for_each_decl(c, DECL_DATA, prepare_constructors);
    for_each_decl(c, DECL_INTERFACE, prepare_methods);
    check_flatten_traits(c);
    for_each_decl(c, DECL_CLASS, prepare_class);
}

static void check_decl(Checker *c, Decl *decl)
{
    switch ((DeclKind)decl->kind) {
    case DECL_DATA: check_data(c, (DataDecl *)decl); break;
    case DECL_CONSTRUCTOR: check_constructor(c, (ConstructorDecl *)decl); break;
    case DECL_FUNCTION: check_function(c, (FunctionDecl *)decl); break;
    case DECL_INTERFACE: check_interface(c, (InterfaceDecl *)decl); break;
    case DECL_CLASS: check_class(c, (ClassDecl *)decl); break;
    case DECL_SYNONYM:
    case DECL_TRAIT: break;
    }
}

static void check_main(Checker *c, Stmt *block)
{
    c->place = PLACE_MAIN;
    check_block(c, block);
}

void check_bodies(Checker *c)
{
    for (uint32_t i = 0; i < c->model->modules.count; i++) {
        ModuleDecl *module = c->model->modules.items[i];
        c->module = module;
        for (uint32_t k = 0; k < module->decls.count; k++)
            check_decl(c, module->decls.items[k]);
        if (module->main && !module_is_test(module))
            check_main(c, module->main);
    }
}
