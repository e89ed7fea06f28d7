/* cmd_deadlock.c - `sennit deadlock FILE.abs ...`: cycles of waiting, confirmed or discarded */
#include <stdio.h>
#include <string.h>

#include "cli/models.h"
#include "cli/verbs.h"
#include "model/model.h"

typedef struct Request {
    Options options;
    Models models;
} Request;

static bool parse(Request *request, int argc, char **argv, Error *error)
{
    for (int i = 1; i < argc; i++) {
        OptionMatch match = options_take(&request->options, USE_DEADLOCK, argv, argc, &i, error);
        if (match == OPTION_WRONG)
            return false;
        if (match == OPTION_TAKEN)
            continue;
        if (argv[i][0] == '-' && argv[i][1])
            return error_set(error, EXIT_USAGE, "unknown option %s (sennit deadlock --help lists them)", argv[i]);
        if (!model_is_file(argv[i]))
            return error_set(error, EXIT_USAGE, "%s: not an ABS model (.abs)", argv[i]);
        VEC_PUSH(&request->models, argv[i]);
    }
    return request->models.count || error_set(error, EXIT_USAGE, "no file given: sennit deadlock FILE.abs ...");
}

int cmd_deadlock(int argc, char **argv)
{
    Request request = {0};
    Error error = {.code = EXIT_USAGE};
    options_init(&request.options);
    int code = -1;
    if (parse(&request, argc, argv, &error))
        code = models_deadlock(&request.models, &request.options, argc, argv);
    else
        fprintf(stderr, "sennit deadlock: %s\n", error.text);
    options_release(&request.options);
    VEC_FREE(&request.models);
    return code < 0 ? (int)error.code : code;
}
