/* cmd_replay.c - `sennit replay FILE.trace`: repeats a failing execution */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/gdb.h"
#include "cli/verbs.h"
#include "host/binary.h"
#include "report/source.h"
#include "report/trace.h"
#include "subject/abs/model.h"

typedef struct ReplayRequest {
    Options options;
    const char *file;
    Trace *trace;
    char file_path[PATH_MAX];  /* absolute */
    Text binary;
} ReplayRequest;

static bool parse(ReplayRequest *request, int argc, char **argv, Error *error)
{
    for (int i = 1; i < argc; i++) {
        OptionMatch match = options_take(&request->options, USE_REPLAY, argv, argc, &i, error);
        if (match == OPTION_WRONG)
            return false;
        if (match == OPTION_TAKEN)
            continue;
        if (argv[i][0] == '-' && argv[i][1])
            return error_set(error, EXIT_USAGE, "unknown option %s (sennit replay --help lists them)", argv[i]);
        if (request->file)
            return error_set(error, EXIT_USAGE, "%s: one trace at a time", argv[i]);
        request->file = argv[i];
    }
    if (request->options.critical && (request->options.gdb || request->options.execution || *request->options.instead))
        return error_set(error, EXIT_USAGE, "--critical contradicts --gdb, --instead and --execution");
    if (request->options.gdb && (request->options.execution || *request->options.instead))
        return error_set(error, EXIT_USAGE, "--gdb contradicts --instead and --execution");
    return request->file || error_set(error, EXIT_USAGE, "no trace given: sennit replay FILE.trace");
}

/* ---- The binary the trace belongs to ------------------------------------------------ */

/* In its old place or, if the run directory was moved, there. */
static void find_binary(ReplayRequest *request)
{
    text_add_string(&request->binary, request->trace->program);
    if (access(request->binary.data, F_OK) == 0)
        return;
    char *directory = mem_copy_string(request->file_path);
    *strrchr(directory, '/') = '\0';
    Text beside = {0};
    text_add(&beside, "%s/../%s", directory, source_base_name(request->trace->program));
    if (access(beside.data, F_OK) == 0) {
        text_reset(&request->binary);
        text_add_string(&request->binary, beside.data);
    }
    text_release(&beside);
    free(directory);
}

static bool open_trace(ReplayRequest *request, Error *error)
{
    char hash[17];
    request->trace = trace_read(request->file, error);
    if (!request->trace)
        return false;
    if (!realpath(request->file, request->file_path))
        return error_set(error, EXIT_USAGE, "%s: cannot resolve its path: %s", request->file, strerror(errno));
    if (model_is_file(request->trace->program)) {
        if (request->options.gdb)
            return error_set(error, EXIT_USAGE, "%s: --gdb is for C programs", request->file);
        return true;
    }
    find_binary(request);
    if (!binary_check(request->binary.data, error) || !trace_hash_file(request->binary.data, hash, error))
        return false;
    if (strcmp(hash, request->trace->hash) != 0)
        return error_set(error, EXIT_USAGE,
                         "%s: recorded with another build of %s (hash %s, now %s): run the search again",
                         request->file, request->binary.data, request->trace->hash, hash);
    return true;
}

/* ---- Handing over ---------------------------------------------------------------------- */

static void add_word(Text *options, const char *name, const char *value)
{
    Text word = {0};
    text_add(&word, "--%s=%s", name, value);
    text_add_string(options, " ");
    options_quote(options, word.data);
    text_release(&word);
}

static void write_options(const ReplayRequest *request, int argc, char **argv, Text *options)
{
    options_write(&request->options, USE_REPLAY, options);
    const Options *own = &request->options;
    bool shows = own->execution || *own->instead;
    text_add(options, " --task=%s", own->gdb ? "debug" : own->critical ? "critical" : shows ? "show" : "replay");
    add_word(options, "trace", request->file_path);
    add_word(options, "shown", request->file);
    binary_add_command(options, argc, argv);
}

/* A model is replayed by this program, started again. */
static void become_model(const char *options, char **own, Error *error)
{
    own[0] = MODEL_PROCESS;
    setenv("SENNIT_OPTIONS", options, 1);
    execv("/proc/self/exe", own);
    error_set(error, EXIT_INTERNAL, "cannot restart: %s", strerror(errno));
}

static void hand_over(ReplayRequest *request, int argc, char **argv, Error *error)
{
    const Trace *trace = request->trace;
    Text options = {0};
    write_options(request, argc, argv, &options);
    char **own = mem_alloc((trace->argument_count + 2) * sizeof *own);
    for (uint32_t i = 0; i < trace->argument_count; i++)
        own[i + 1] = (char *)trace->arguments[i];
    /* The program may read files of the directory it ran in. */
    if (*trace->directory && chdir(trace->directory) < 0)
        fprintf(stderr, "sennit replay: directory %s no longer exists; replaying in the current one\n",
                trace->directory);
    if (model_is_file(trace->program))
        become_model(options.data, own, error);
    else if (request->options.gdb)
        gdb_become(request->binary.data, options.data, trace, error);
    else
        binary_become(request->binary.data, options.data, own, error);
    text_release(&options);
    free(own);
}

int cmd_replay(int argc, char **argv)
{
    ReplayRequest request = {0};
    Error error = {.code = EXIT_USAGE};
    options_init(&request.options);
    if (parse(&request, argc, argv, &error) && open_trace(&request, &error))
        hand_over(&request, argc, argv, &error);
    fprintf(stderr, "sennit replay: %s\n", error.text);
    trace_destroy(request.trace);
    options_release(&request.options);
    text_release(&request.binary);
    return error.code;
}
