/* testrun.c - see testrun.h */
#include "cli/testrun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/tasks/results.h"
#include "cli/failure.h"
#include "host/subprocess.h"
#include "report/source.h"

static void add_word(Text *options, const char *name, const char *value)
{
    Text word = {0};
    text_add(&word, "--%s=%s", name, value);
    text_add_string(options, " ");
    options_quote(options, word.data);
    text_release(&word);
}

static void write_options(const TestRequest *request, int argc, char **argv, Text *out)
{
    options_write(&request->options, request->verb->uses, out);
    text_add(out, " %s", request->verb->task);
    binary_add_command(out, argc, argv);
    add_word(out, "program", source_base_name(request->source));
    if (*request->options.tests)
        testrun_add_build(request, out);
    if (request->locks.length)
        add_word(out, "locks", request->locks.data);
    if (!request->temporary && request->dir.path)
        add_word(out, "output", request->dir.path);
}

/* A binary outside the run directory is removed afterwards: this process has to wait for it. If there is something to
 * replay or to resume, the user has to remove it. */
static int run_temporary(TestRequest *request, const char *options, char **own, Error *error)
{
    Subprocess result;
    setenv("SENNIT_OPTIONS", options, 1);
    own[0] = request->binary.data;
    bool started = subprocess_run((const char *const *)own, &result, error);
    if (!started || result.status == EXIT_CLEAN)
        testrun_remove_binary(request);
    else
        fprintf(stderr, "sennit %s: no room for the program in the run directory: it is kept as %s, for replays\n",
                request->verb->name, request->binary.data);
    return started ? result.status : (int)error->code;
}

static const char *name_of(const TestRequest *request)
{
    const char *file = request->models.count ? request->models.items[0] : request->source;
    return file ? source_base_name(file) : NULL;
}

static int run_binary(TestRequest *request, int argc, char **argv, Error *error)
{
    Text options = {0};
    char **own = binary_argv(request->arguments);
    int code = EXIT_USAGE;
    if (request->verb->prepare)
        request->verb->prepare(request);
    write_options(request, argc, argv, &options);
    if (request->temporary)
        code = run_temporary(request, options.data, own, error);
    else
        binary_become(request->binary.data, options.data, own, error);
    if (*error->text)
        failure_tell(request->verb->name, &request->options, name_of(request), argc, argv, error);
    text_release(&options);
    free(own);
    return code;
}

int testrun(const TestVerb *verb, int argc, char **argv)
{
    TestRequest request = {.verb = verb};
    Error error = {.code = EXIT_USAGE};
    options_init(&request.options);
    int code;
    bool parsed = testrun_parse(&request, argc, argv, &error);
    if (parsed)
        results_begin(&request.options, name_of(&request));
    if (parsed && request.models.count) {
        code = verb->run_models(&request.models, &request.options, argc, argv);
    } else if (parsed && testrun_choose_place(&request, &error) &&
               (request.is_built || testrun_compile(&request, &error))) {
        code = run_binary(&request, argc, argv, &error);
    } else {
        code = failure_tell(verb->name, &request.options, name_of(&request), argc, argv, &error);
    }
    options_release(&request.options);
    rundir_close(&request.dir);
    text_release(&request.binary);
    text_release(&request.locks);
    free(request.temporary);
    VEC_FREE(&request.compile);
    VEC_FREE(&request.models);
    file_names_release(&request.files);
    return code;
}
