/* cmd_check.c - `sennit check FILE.abs ...`: lists every error of a model */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/verbs.h"
#include "subject/abs/all_products.h"
#include "subject/abs/model.h"
#include "subject/abs/models.h"

typedef struct CheckRequest {
    Options options;
    Models given;
    FileNames files;
} CheckRequest;

static bool parse(CheckRequest *request, int argc, char **argv, Error *error)
{
    bool options_end = false;
    for (int i = 1; i < argc; i++) {
        if (!options_end && strcmp(argv[i], "--") == 0) {
            options_end = true;
            continue;
        }
        OptionMatch match = options_end ? OPTION_FOREIGN
                                        : options_take(&request->options, USE_CHECK, argv, argc, &i, error);
        if (match == OPTION_WRONG)
            return false;
        if (match == OPTION_TAKEN)
            continue;
        if (!options_end && argv[i][0] == '-' && argv[i][1])
            return error_set(error, EXIT_USAGE, "unknown option %s (sennit check --help lists them)", argv[i]);
        VEC_PUSH(&request->given, argv[i]);
    }
    return request->given.count || error_set(error, EXIT_USAGE, "no file given: sennit check FILE.abs ...");
}

static bool check(CheckRequest *request, Text *text, Error *error)
{
    const char *first = request->given.items[0];
    if (!models_gather(&request->given, &request->options, &request->files, error))
        return false;
    const char *const *paths = (const char *const *)request->given.items;
    if (request->options.all_products)
        return all_products_check(&request->given, &request->options, text, error);
    if (request->options.json)
        return model_check_json(paths, request->given.count, &request->options, text, error);
    bool good = model_check(paths, request->given.count, &request->options, text, error);
    if (good)
        text_add(text, "%s%s: no errors\n", first, request->given.count > 1 ? " and other files" : "");
    return good;
}

int cmd_check(int argc, char **argv)
{
    CheckRequest request = {0};
    Error error = {.code = EXIT_USAGE};
    Text text = {0};
    options_init(&request.options);
    bool good = parse(&request, argc, argv, &error) && check(&request, &text, &error);
    fputs(text_borrow(&text), stdout);
    if (*error.text)
        fprintf(stderr, "sennit check: %s\n", error.text);
    text_release(&text);
    options_release(&request.options);
    VEC_FREE(&request.given);
    file_names_release(&request.files);
    return good ? EXIT_CLEAN : EXIT_USAGE;
}
