/* models.c - see models.h */
#include "subject/abs/models.h"

#include <stdio.h>
#include <stdlib.h>

#include "abs/modules/gather.h"
#include "base/mem.h"
#include "host/binary.h"
#include "subject/abs/all_products.h"
#include "subject/abs/model.h"
#include "subject/abs/model_internal.h"
#include "subject/abs/suite_abs.h"

ModelReading model_reading(const Options *options)
{
    return (ModelReading){.search_path = options->path, .dialect = (Dialect)options->dialect,
                          .product = options->product};
}

bool models_gather(Models *files, const Options *options, FileNames *owned, Error *error)
{
    ModelReading reading = model_reading(options);
    if (!gather_files((const char *const *)files->items, files->count, &reading, owned, error))
        return false;
    files->count = 0;
    for (uint32_t i = 0; i < owned->count; i++)
        VEC_PUSH(files, owned->items[i]);
    return true;
}

static int run_model(const Models *files, const Options *options, unsigned uses, int (*run)(int argc, char **argv),
                     int argc, char **argv)
{
    Text text = {0};
    char **own = mem_alloc((files->count + 2) * sizeof *own);
    own[0] = MODEL_PROCESS;
    for (uint32_t i = 0; i < files->count; i++)
        own[i + 1] = files->items[i];
    options_write(options, uses, &text);
    binary_add_command(&text, argc, argv);
    setenv("SENNIT_OPTIONS", text_borrow(&text), 1);
    int code = run((int)files->count + 1, own);
    text_release(&text);
    free(own);
    return code;
}

int models_explore(const Models *files, const Options *options, int argc, char **argv)
{
    const char *const *paths = (const char *const *)files->items;
    if (options->all_products)
        return all_products_explore(files, options, argc, argv);
    bool is_suite = model_has_tests(paths, files->count); /* a test has a single execution, that of its schedule */
    if (is_suite && (*options->sarif || options->github)) {
        fprintf(stderr, "sennit %s: --%s: not for generated tests; use --junit\n", argv[0],
                *options->sarif ? "sarif" : "github");
        return EXIT_USAGE;
    }
    if (is_suite)
        return model_test_suite(&(SuiteRequest){.paths = paths, .path_count = files->count, .quiet = options->quiet,
                                                .junit = *options->junit ? options->junit : NULL});
    return run_model(files, options, USE_SEARCH | USE_INTERNAL, model_run, argc, argv);
}

int models_deadlock(const Models *files, const Options *options, int argc, char **argv)
{
    return run_model(files, options, USE_DEADLOCK, model_deadlock, argc, argv);
}
