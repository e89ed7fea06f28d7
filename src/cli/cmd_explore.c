/* cmd_explore.c - `sennit explore PROGRAM`: becomes the test binary, which explores itself;
 * `sennit explore FILE.abs ...`: explores the model in this process */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/outfile.h"
#include "app/tasks/results.h"
#include "cli/explore_cluster.h"
#include "cli/failure.h"
#include "cli/verbs.h"
#include "dist/search/coordinator.h"
#include "host/binary.h"
#include "report/source.h"
#include "subject/abs/model.h"
#include "subject/abs/models.h"

typedef struct ExploreRequest {
    Options options;
    const char *program;
    Models models;         /* files, if it is a model                      */
    FileNames files;       /* their names                                  */
    char **arguments;      /* of the program, after "--"; NULL-terminated */
    Conf conf;             /* its nodes, if it is a cluster                */
} ExploreRequest;

static bool check_cluster(ExploreRequest *request, Error *error)
{
    if (request->program)
        return error_set(error, EXIT_USAGE, "%s: the programs of a cluster are given with --node and --client, or in "
                                            "the file of --cluster", request->program);
    if (*request->arguments)
        return error_set(error, EXIT_USAGE, "%s: arguments of a node stand behind its program", *request->arguments);
    if (*request->options.store)
        return error_set(error, EXIT_USAGE, "--store: a cluster cannot be explored by several machines");
    request->program = "cluster";
    return options_check(&request->options, PROGRAM_C, 0, error);
}

static bool parse(ExploreRequest *request, int argc, char **argv, Error *error)
{
    static char *none[] = {NULL};
    request->arguments = none;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            request->arguments = argv + i + 1;
            break;
        }
        OptionMatch match = explore_take_node(&request->conf, argv, argc, &i, error);
        if (match == OPTION_FOREIGN)
            match = options_take(&request->options, USE_EXPLORE, argv, argc, &i, error);
        if (match == OPTION_WRONG)
            return false;
        if (match == OPTION_TAKEN)
            continue;
        if (argv[i][0] == '-' && argv[i][1])
            return error_set(error, EXIT_USAGE, "unknown option %s (sennit explore --help lists them)", argv[i]);
        if (model_is_given(argv[i]) && (!request->program || request->models.count)) {
            request->program = argv[i];
            VEC_PUSH(&request->models, argv[i]);
            continue;
        }
        if (request->program)
            return error_set(error, EXIT_USAGE, "%s: one program at a time; arguments of the program go after --",
                             argv[i]);
        request->program = argv[i];
    }
    if (request->models.count && *request->arguments)
        return error_set(error, EXIT_USAGE, "%s: a model takes no arguments", *request->arguments);
    if (request->conf.given)
        return check_cluster(request, error);
    if (request->options.restart)
        return error_set(error, EXIT_USAGE, "%s: only nodes of a cluster start again (--restart)",
                         request->program ? request->program : "no program");
    if (!request->program)
        return error_set(error, EXIT_USAGE, "no program given: sennit explore PROGRAM [-- arguments]");
    return options_check(&request->options, request->models.count ? PROGRAM_ABS : PROGRAM_C, 0, error) &&
           (!request->models.count || models_gather(&request->models, &request->options, &request->files, error));
}

/* A name without a slash is a file in the current directory, not one in PATH. */
static char *path_of(const char *program)
{
    Text path = {0};
    text_add(&path, "%s%s", strchr(program, '/') ? "" : "./", program);
    return path.data;
}

static void explore_binary(const ExploreRequest *request, int argc, char **argv, Error *error)
{
    Text options = {0};
    char *path = path_of(request->program), **own = binary_argv(request->arguments);
    options_write(&request->options, USE_SEARCH, &options);
    binary_add_command(&options, argc, argv);
    binary_become(path, text_borrow(&options), own, error);
    text_release(&options);
    free(path);
    free(own);
}

/* Other machines explore; this one coordinates. */
static int share(ExploreRequest *request, int argc, char **argv, Error *error)
{
    if (!request->models.count && !binary_check(request->program, error))
        return -1;
    SharedProgram program = {.path = request->program,
                             .arguments = request->arguments,
                             .model_count = request->models.count};
    if (request->models.count) {
        VEC_PUSH(&request->models, NULL);
        request->models.count--;
        program.arguments = request->models.items;
    }
    return coordinator_run(&program, &request->options, argc, argv, error);
}

int cmd_explore(int argc, char **argv)
{
    ExploreRequest request = {0};
    Error error = {.code = EXIT_USAGE};
    options_init(&request.options);
    int code = -1;
    if (parse(&request, argc, argv, &error) && outfile_check(&request.options, &error)) {
        results_begin(&request.options, source_base_name(request.program));
        if (request.conf.given)
            explore_cluster(&request.conf, request.program, &request.options, argc, argv, &error);
        else if (*request.options.store)
            code = share(&request, argc, argv, &error);
        else if (request.models.count)
            code = models_explore(&request.models, &request.options, argc, argv);
        else if (binary_check(request.program, &error))
            explore_binary(&request, argc, argv, &error);
    }
    if (code < 0)
        failure_tell("explore", &request.options, request.program ? source_base_name(request.program) : NULL, argc,
                     argv, &error);
    options_release(&request.options);
    VEC_FREE(&request.models);
    conf_release(&request.conf);
    file_names_release(&request.files);
    return code < 0 ? (int)error.code : code;
}
