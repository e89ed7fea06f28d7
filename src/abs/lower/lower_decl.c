/* lower_decl.c - functions, classes and the image as a whole */
#include <stdlib.h>
#include <string.h>

#include "abs/lower/lower_internal.h"
#include "abs/syntax/scope.h"
#include "base/mem.h"

/* ---- Functions -------------------------------------------------------------------- */

static void lower_function_body(Lowering *lowering, FunctionDecl *function)
{
    CodeBuilder b;
    lower_begin(&b, lowering, NULL, function->code);
    b.function = function;
    uint16_t slot = lower_temps(&b, function->code->param_count);
    for (uint32_t i = 0; i < function->function_params.count; i++)
        lower_declare(&b, function->function_variables[i], slot++);
    for (uint32_t i = 0; i < function->params.count; i++)
        lower_declare(&b, function->params.items[i].variable, slot++);
    lower_tail(&b, function->body);
    lower_end(&b);
}

/* ---- Classes ------------------------------------------------------------------------ */

static void finish(CodeBuilder *b, Value result)
{
    uint16_t value = lower_temp(b);
    lower_const(b, value, result);
    lower_emit(b, INSTR_FINISH, 0, value, 0);
}

static void lower_method(Lowering *lowering, MethodDecl *method)
{
    CodeBuilder b;
    lower_begin(&b, lowering, NULL, method->code);
    uint16_t slot = lower_temps(&b, method->sig.params.count);
    for (uint32_t i = 0; i < method->sig.params.count; i++)
        lower_declare(&b, method->sig.params.items[i].variable, (uint16_t)(slot + i));
    lower_stmt(&b, method->body);
    b.pos = method->body->end;
    finish(&b, VALUE_UNIT);
    lower_end(&b);
}

static const Code *lower_init(Lowering *lowering, const ClassDecl *class)
{
    CodeBuilder b;
    Code *code = lower_new_code(lowering, CODE_INIT, class->decl.name.text, class->decl.name.pos);
    code->param_count = (uint16_t)class->param_count;
    code->class = &lowering->image->classes[class->number];
    lower_begin(&b, lowering, NULL, code);
    lower_temps(&b, class->param_count);
    for (uint32_t i = 0; i < class->fields.count; i++) {
        const Field *field = class->fields.items[i];
        uint16_t mark = b.next, value = field->is_parameter ? (uint16_t)i : lower_temp(&b);
        if (field->init)
            lower_expr_to(&b, field->init, value);
        if (field->init || field->is_parameter)
            lower_emit(&b, INSTR_STORE, value, (uint16_t)i, 0);
        b.next = mark;
    }
    if (class->init)
        lower_stmt(&b, class->init);
    finish(&b, VALUE_UNIT);
    lower_end(&b);
    return code;
}

/* The code answers whether the exception matched a branch. */
static const Code *lower_recover(Lowering *lowering, const ClassDecl *class)
{
    CodeBuilder b;
    JumpLabel done = {0};
    if (!class->recover.count)
        return NULL;
    Code *code = lower_new_code(lowering, CODE_RECOVER, "recover", class->decl.name.pos);
    code->param_count = 1;
    code->class = &lowering->image->classes[class->number];
    lower_begin(&b, lowering, NULL, code);
    uint16_t exception = lower_temp(&b);
    lower_branches(&b, &class->recover, exception, NULL, &done);
    finish(&b, VALUE_FALSE);
    lower_place(&b, &done);
    finish(&b, VALUE_TRUE);
    lower_end(&b);
    return code;
}

static bool calls_synchronously(const Stmt *stmt)
{
    if (!stmt)
        return false;
    if ((stmt->expr && (stmt->expr->kind == EXPR_SYNC || stmt->expr->kind == EXPR_ORIGINAL)) ||
        calls_synchronously(stmt->body) || calls_synchronously(stmt->other))
        return true;
    for (uint32_t i = 0; i < stmt->stmts.count; i++)
        if (calls_synchronously(stmt->stmts.items[i]))
            return true;
    for (uint32_t i = 0; i < stmt->branches.count; i++)
        if (calls_synchronously(stmt->branches.items[i].stmt))
            return true;
    return false;
}

static void declare_methods(Lowering *lowering, const ClassDecl *class)
{
    for (uint32_t i = 0; i < class->methods.count; i++) {
        MethodDecl *method = class->methods.items[i];
        method->code = lower_new_code(lowering, CODE_METHOD, method->sig.name.text, method->sig.name.pos);
        method->code->param_count = (uint16_t)method->sig.params.count;
        method->code->class = &lowering->image->classes[class->number];
        if (!method->hidden)
            lower_selector(lowering, method->sig.name.text);
    }
}

static void prepare_class(Lowering *lowering, ClassDecl *class)
{
    Image *image = lowering->image;
    ClassCode *code = &image->classes[class->number];
    code->decl = class;
    code->name = class->decl.name.text;
    code->number = class->number;
    code->field_count = class->fields.count;
    code->param_count = class->param_count;
    if (class->fields.count > UINT16_MAX)
        lowering->too_large = true;
    code->guarded = arena_zero(&image->arena, class->fields.count * sizeof(bool));
    code->init_may_wait = calls_synchronously(class->init);
    uint32_t interfaces = lowering->model->interfaces.count;
    code->implements = arena_zero(&image->arena, interfaces);
    for (uint32_t i = 0; i < class->interfaces.count; i++) {
        const InterfaceDecl *interface = class->interfaces.items[i];
        code->implements[interface->number] = 1;
        for (uint32_t k = 0; k < interface->ancestors.count; k++)
            code->implements[interface->ancestors.items[k]->number] = 1;
    }
    code->implements[((InterfaceDecl *)scope_get_library(lowering->model, SPACE_TYPE, "Object"))->number] = 1;
    declare_methods(lowering, class);
}

static void lower_class_code(Lowering *lowering, ClassDecl *class)
{
    ClassCode *code = &lowering->image->classes[class->number];
    lowering->class = class;
    lowering->module = class->decl.module;
    code->init = lower_init(lowering, class);
    code->recover = lower_recover(lowering, class);
    code->scheduler = lower_scheduler(lowering, &class->decl.annotations);
    for (uint32_t i = 0; i < class->methods.count; i++)
        lower_method(lowering, class->methods.items[i]);
}

/* Fills, for each class, the table from selectors to methods. */
static void fill_method_tables(Lowering *lowering)
{
    Image *image = lowering->image;
    image->selector_count = lowering->selector_names.count;
    image->selectors = arena_alloc(&image->arena, image->selector_count * sizeof(char *));
    for (uint32_t i = 0; i < image->selector_count; i++)
        image->selectors[i] = lowering->selector_names.items[i];
    for (uint32_t i = 0; i < lowering->model->classes.count; i++) {
        const ClassDecl *class = lowering->model->classes.items[i];
        ClassCode *code = &image->classes[i];
        code->methods = arena_zero(&image->arena, image->selector_count * sizeof(Code *));
        for (uint32_t k = 0; k < class->methods.count; k++) {
            const MethodDecl *method = class->methods.items[k];
            if (method->hidden)
                continue;
            code->methods[lower_selector(lowering, method->sig.name.text)] = method->code;
            if (strcmp(method->sig.name.text, "run") == 0)
                code->run = method->code;
        }
    }
}

/* ---- Constructors ---------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    const ConstructorDecl *const *x = a, *const *y = b;
    return strcmp((*x)->decl.name.text, (*y)->decl.name.text);
}

static uint64_t hash_name(const char *name)
{
    uint64_t h = 31;
    for (; *name; name++)
        h = map_mix(h, (unsigned char)*name);
    return h;
}

static void rank_constructors(Image *image, const Model *model)
{
    uint32_t count = model->constructors.count;
    ConstructorDecl **sorted = mem_alloc(count * sizeof *sorted);
    memcpy(sorted, model->constructors.items, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_names);
    for (uint32_t i = 0; i < count; i++)
        image->constructor_ranks[sorted[i]->number] = i;
    free(sorted);
}

static void fill_constructors(Image *image, const Model *model)
{
    uint32_t count = model->constructors.count;
    image->constructor_count = count;
    image->constructor_names = arena_alloc(&image->arena, count * sizeof(char *));
    image->constructor_ranks = arena_alloc(&image->arena, count * sizeof(uint32_t));
    image->constructor_hashes = arena_alloc(&image->arena, count * sizeof(uint64_t));
    image->constructor_sizes = arena_alloc(&image->arena, count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        image->constructor_names[i] = model->constructors.items[i]->decl.name.text;
        image->constructor_hashes[i] = map_mix(hash_name(image->constructor_names[i]), 37);
        image->constructor_sizes[i] = model->constructors.items[i]->params.count;
    }
    rank_constructors(image, model);
}

static uint32_t get_constructor(const Model *model, const char *name)
{
    return ((ConstructorDecl *)scope_get_library(model, SPACE_CONSTRUCTOR, name))->number;
}

static Value get_exception(const Model *model, const char *name)
{
    Decl *decl = NULL;
    const ModuleDecl *library = scope_find_module(model, "ABS.StdLib.Exceptions");
    for (uint32_t i = 0; i < library->decls.count; i++)
        if (strcmp(library->decls.items[i]->name.text, name) == 0)
            decl = library->decls.items[i];
    return value_constant(((ConstructorDecl *)decl)->number);
}

static void fill_known_values(Image *image, const Model *model)
{
    image->nil = get_constructor(model, "Nil");
    image->cons = get_constructor(model, "Cons");
    image->no_match = get_exception(model, "PatternMatchFailException");
    image->null_pointer = get_exception(model, "NullPointerException");
    image->division_by_zero = get_exception(model, "DivisionByZeroException");
    image->assertion_failed = get_exception(model, "AssertionFailException");
    image->object_dead = get_exception(model, "ObjectDeadException");
    image->stack_overflow = get_exception(model, "StackOverflowException");
    image->heap_overflow = get_exception(model, "HeapOverflowException");
}

/* value.h fixes the first constructors. */
static bool constants_agree(const Model *model)
{
    return value_constant(get_constructor(model, "Unit")) == VALUE_UNIT &&
           value_constant(get_constructor(model, "True")) == VALUE_TRUE &&
           value_constant(get_constructor(model, "False")) == VALUE_FALSE;
}

/* ---- The image ---------------------------------------------------------------------------- */

static void lower_main(Lowering *lowering, const ModuleDecl *module)
{
    CodeBuilder b;
    Code *code = lower_new_code(lowering, CODE_MAIN, "main", module ? module->main->pos : 0);
    lowering->class = NULL;
    lowering->module = module;
    lower_begin(&b, lowering, NULL, code);
    if (module) {
        lower_stmt(&b, module->main);
        b.pos = module->main->end;
    }
    finish(&b, VALUE_UNIT);
    lower_end(&b);
    lowering->image->main = code;
}

static void lower_model(Lowering *lowering, const ModuleDecl *main)
{
    const Model *model = lowering->model;
    for (uint32_t i = 0; i < model->classes.count; i++)
        prepare_class(lowering, model->classes.items[i]);
    lower_main(lowering, main);
    for (uint32_t i = 0; i < model->classes.count; i++)
        lower_class_code(lowering, model->classes.items[i]);
    for (uint32_t i = 0; i < lowering->functions.count; i++)
        lower_function_body(lowering, lowering->functions.items[i]);
    fill_method_tables(lowering);
}

static void forget_code(const Model *model)
{
    for (uint32_t i = 0; i < model->modules.count; i++)
        for (uint32_t k = 0; k < model->modules.items[i]->decls.count; k++)
            if (model->modules.items[i]->decls.items[k]->kind == DECL_FUNCTION)
                ((FunctionDecl *)model->modules.items[i]->decls.items[k])->code = NULL;
}

Image *image_create(const Model *model, const ModuleDecl *main, Error *error)
{
    Image *image = mem_alloc(sizeof *image);
    Lowering lowering = {.image = image, .model = model};
    image->model = model;
    if (model->constructors.count > UINT16_MAX || !constants_agree(model)) {
        error_set(error, EXIT_USAGE, "the model has too many constructors");
        image_destroy(image);
        return NULL;
    }
    forget_code(model);
    fill_constructors(image, model);
    fill_known_values(image, model);
    image->classes = arena_zero(&image->arena, model->classes.count * sizeof(ClassCode));
    lower_model(&lowering, main);
    lower_find_effects(image);
    lower_find_components(image);
    lower_find_clock_readers(image);
    VEC_FREE(&lowering.functions);
    VEC_FREE(&lowering.selector_names);
    map_release(&lowering.selectors);
    map_release(&lowering.accessors);
    if (lowering.too_large) {
        error_set(error, EXIT_USAGE, "a method or function of the model is too large");
        image_destroy(image);
        return NULL;
    }
    return image;
}

void image_destroy(Image *image)
{
    if (!image)
        return;
    VEC_FREE(&image->codes);
    VEC_FREE(&image->guards);
    VEC_FREE(&image->decisions);
    VEC_FREE(&image->texts);
    arena_release(&image->arena);
    free(image);
}
