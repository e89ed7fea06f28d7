/* cmd_suite.c - `sennit test-suite DIR|FILE ... [MODEL.abs ...]`: runs generated tests on the program as it is now */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "cgen/suite_run.h"
#include "cli/verbs.h"
#include "host/words.h"
#include "subject/abs/suite_abs.h"

typedef VEC(const char *) SuitePaths;

static bool parse(SuiteRequest *request, SuitePaths *paths, int argc, char **argv, Error *error)
{
    for (int i = 1; i < argc; i++) {
        const char *value = words_value("--junit", argv, argc, &i);
        if (value)
            request->junit = value;
        else if (strcmp(argv[i], "-q") == 0 || strcmp(argv[i], "--quiet") == 0)
            request->quiet = true;
        else if (strcmp(argv[i], "-x") == 0)
            request->stop = true;
        else if (argv[i][0] == '-' && argv[i][1])
            return error_set(error, EXIT_USAGE, "unknown option %s; there are --junit FILE, -q and -x", argv[i]);
        else
            VEC_PUSH(paths, argv[i]);
    }
    request->paths = paths->items;
    request->path_count = paths->count;
    return paths->count > 0 ||
           error_set(error, EXIT_USAGE, "no tests given: sennit test-suite DIR|FILE ... [MODEL.abs ...]");
}

static int run(const SuiteRequest *request)
{
    if (!suite_run_is_wanted(request->paths, request->path_count))
        return model_test_suite(request);
    return suite_run(&(SuiteRun){.paths = request->paths, .path_count = request->path_count, .junit = request->junit,
                                 .quiet = request->quiet, .stop = request->stop});
}

int cmd_suite(int argc, char **argv)
{
    SuiteRequest request = {0};
    SuitePaths paths = {0};
    Error error = {.code = EXIT_USAGE};
    int code = (int)error.code;
    if (parse(&request, &paths, argc, argv, &error))
        code = run(&request);
    else
        fprintf(stderr, "sennit test-suite: %s\n", error.text);
    VEC_FREE(&paths);
    return code;
}
