/* check_json.c - the diagnostics of a model as a document, for editors and scripts */
#include "abs/check/check.h"
#include "report/json.h"
#include "subject/abs/model.h"
#include "subject/abs/model_internal.h"
#include "subject/abs/models.h"

static void write_diagnostic(Json *json, const Sources *sources, const Diag *diag)
{
    SourcePlace place = source_place(sources, diag->pos);
    json_open_object(json, NULL);
    json_add_string(json, "file", place.file->name);
    json_add_count(json, "line", place.line);
    json_add_count(json, "column", place.column);
    json_add_count(json, "length", diag->length);
    json_add_string(json, "kind", diag_kind_words(diag->kind));
    json_add_string(json, "text", diag->text);
    json_close_object(json);
}

static void write_document(Json *json, Model *model, const char *const *paths, uint32_t count, const char *product)
{
    json_open_object(json, NULL);
    json_open_list(json, "files");
    for (uint32_t i = 0; i < count; i++)
        json_add_string(json, NULL, paths[i]);
    json_close_list(json);
    json_add_string(json, "product", *product ? product : NULL);
    json_add_count(json, "errors", model->diags.errors);
    json_open_list(json, "diagnostics");
    diags_sort(&model->diags);
    for (uint32_t i = 0; i < model->diags.items.count; i++)
        write_diagnostic(json, &model->sources, &model->diags.items.items[i]);
    json_close_list(json);
    json_close_object(json);
    text_add_string(json->text, "\n");
}

bool model_check_json(const char *const *paths, uint32_t count, const Options *options, Text *text, Error *error)
{
    ModelReading reading = model_reading(options);
    Json json = {.text = text, .pretty = true, .first = true};
    Model *model = check_files(paths, count, &reading, error);
    if (!model)
        return false;
    write_document(&json, model, paths, count, options->product);
    uint32_t errors = model->diags.errors;
    if (errors)
        error_set(error, EXIT_USAGE, "%u error%s", errors, errors == 1 ? "" : "s");
    model_destroy(model);
    return errors == 0;
}
