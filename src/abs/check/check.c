/* check.c - see check.h; messages of the checker */
#include "abs/check/check.h"

#include <string.h>

#include "abs/check/dialect.h"
#include "abs/delta/apply.h"
#include "abs/syntax/stdlib.h"

/* ---- Messages -------------------------------------------------------------------- */

void check_error(Checker *c, SrcPos pos, uint32_t length, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_add_list(&c->model->diags, DIAG_ERROR, pos, length, format, args);
    va_end(args);
}

void check_warning(Checker *c, SrcPos pos, uint32_t length, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_add_list(&c->model->diags, DIAG_WARNING, pos, length, format, args);
    va_end(args);
}

void check_unknown(Checker *c, const Name *name, const char *what)
{
    if (!c->model->syntax_errors && !c->module->imports_unsupported)
        check_error(c, name->pos, name->length, "%s '%s' is not known", what, name->text);
}

bool check_fits(Checker *c, Type *from, Type *to, SrcPos pos, uint32_t length, const char *context)
{
    if (type_fits(&c->types, from, to))
        return true;
    Text expected = {0}, found = {0};
    type_print(to, false, &expected);
    type_print(from, false, &found);
    if (strcmp(text_borrow(&expected), text_borrow(&found)) == 0) { /* a model's own List, say */
        text_reset(&expected);
        text_reset(&found);
        type_print(to, true, &expected);
        type_print(from, true, &found);
    }
    check_error(c, pos, length, "expected %s %s, found %s", text_borrow(&expected), context, text_borrow(&found));
    text_release(&expected);
    text_release(&found);
    return false;
}

/* ---- Models ------------------------------------------------------------------------ */

static void add_library(Model *model)
{
    size_t size;
    const char *text = stdlib_text(&size);
    parser_run(model, source_add_text(&model->sources, "ABS.StdLib", text, size, true));
}

static bool imports_part(const Model *model, const StdlibPart *part)
{
    for (uint32_t i = 0; i < model->modules.count; i++)
        for (uint32_t k = 0; k < model->modules.items[i]->imports.count; k++) {
            const char *from = model->modules.items[i]->imports.items[k].from.text;
            if (from && stdlib_part_has(part, from))
                return true;
        }
    return false;
}

/* Models may bring a module of the same name. */
static bool defines_part(const Model *model, const StdlibPart *part)
{
    for (uint32_t i = 0; i < model->modules.count; i++)
        if (model->modules.items[i]->name.text && stdlib_part_has(part, model->modules.items[i]->name.text))
            return true;
    return false;
}

/* Modules of the library that the model imports from. */
static void add_imported(Model *model)
{
    for (unsigned i = 0; stdlib_part(i); i++) {
        const StdlibPart *part = stdlib_part(i);
        if (imports_part(model, part) && !defines_part(model, part))
            parser_run(model, source_add_text(&model->sources, part->name, part->begin,
                                              (size_t)(part->end - part->begin), true));
    }
}

static void check_model(Model *model)
{
    Checker checker = {.model = model};
    deltas_apply(model);
    add_imported(model);
    scope_build(model);
    types_init(&checker.types, model);
    check_headers(&checker);
    check_bodies(&checker);
    VEC_FREE(&checker.locals);
    VEC_FREE(&checker.lambdas);
    VEC_FREE(&checker.lambda_bases);
}

static Model *begin_model(const ModelReading *reading, unsigned old_forms)
{
    Model *model = model_create();
    model->reading = *reading;
    model->old_forms = old_forms;
    add_library(model);
    return model;
}

/* What a model is read from: files, or a text if `name` is set. */
typedef struct ModelText {
    const char *const *paths;
    uint32_t count;
    const char *name, *text;
    size_t size;
} ModelText;

static Model *read_model(const ModelText *from, const ModelReading *reading, unsigned old_forms, Error *error)
{
    Model *model = begin_model(reading, old_forms);
    if (from->name)
        parser_run(model, source_add_text(&model->sources, from->name, from->text, from->size, false));
    for (uint32_t i = 0; i < from->count; i++) {
        if (!source_add_file(&model->sources, from->paths[i], error)) {
            model_destroy(model);
            return NULL;
        }
        parser_run(model, model->sources.files.count - 1);
    }
    check_model(model);
    return model;
}

/* The first reading of the language in which the model is correct; if there is none, the first one. */
static Model *choose_reading(const ModelText *from, const ModelReading *reading, Error *error)
{
    const unsigned *readings;
    unsigned count = dialect_readings(reading->dialect, &readings);
    Model *first = read_model(from, reading, readings[0], error);
    if (!first || first->syntax_errors || first->modern || dialect_fits(first))
        return first;
    for (unsigned i = 1; i < count; i++) {
        Model *other = read_model(from, reading, readings[i], error);
        if (other && dialect_fits(other)) {
            model_destroy(first);
            return other;
        }
        model_destroy(other);
    }
    return first;
}

Model *check_text(const char *name, const char *text, size_t size, const ModelReading *reading)
{
    return choose_reading(&(ModelText){.name = name, .text = text, .size = size}, reading, NULL);
}

Model *check_files(const char *const *paths, uint32_t count, const ModelReading *reading, Error *error)
{
    return choose_reading(&(ModelText){.paths = paths, .count = count}, reading, error);
}

ModuleDecl *check_find_main(const Model *model)
{
    for (uint32_t i = model->modules.count; i > 0; i--)
        if (model->modules.items[i - 1]->main && !module_is_test(model->modules.items[i - 1]))
            return model->modules.items[i - 1];
    return NULL;
}

bool abs_check_files(const char *const *paths, uint32_t count, const ModelReading *reading, Text *text, Error *error)
{
    Model *model = check_files(paths, count, reading, error);
    if (!model)
        return false;
    diags_print(&model->diags, &model->sources, text);
    uint32_t errors = model->diags.errors;
    if (errors)
        error_set(error, EXIT_USAGE, "%u error%s", errors, errors == 1 ? "" : "s");
    model_destroy(model);
    return errors == 0;
}
