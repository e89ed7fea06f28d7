/* cmd_resume.c - `sennit resume DIR`: continues a search from its checkpoint */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/run/outfile.h"
#include "app/search/checkpoint.h"
#include "base/mem.h"
#include "cli/verbs.h"
#include "host/binary.h"
#include "subject/abs/model.h"
#include "subject/abs/models.h"

typedef struct ResumeRequest {
    const char *directory;
    Text file;            /* the checkpoint */
    CheckpointHead head;
    Options options;
} ResumeRequest;

static bool find_checkpoint(ResumeRequest *request, Error *error)
{
    struct stat status;
    char *full = realpath(request->directory, NULL);
    if (!full)
        return error_set(error, EXIT_USAGE, "%s: %s", request->directory, strerror(errno));
    text_add(&request->file, "%s/%s", full, CHECKPOINT_NAME);
    free(full);
    if (stat(request->file.data, &status) == 0)
        return checkpoint_read_head(request->file.data, &request->head, error);
    Text result = {0};
    text_add(&result, "%s/run.json", request->directory);
    bool over = stat(result.data, &status) == 0;
    text_release(&result);
    return error_set(error, EXIT_USAGE,
                     over ? "%s: there is nothing to resume: the search is over, or of a kind that leaves no "
                            "checkpoint (--preemptions, --reduction=none)"
                          : "%s has no checkpoint",
                     request->directory);
}

/* Options of the run, then those given now, which must not change what is explored. */
static bool take_options(ResumeRequest *request, int argc, char **argv, Error *error)
{
    for (int i = 1; i < argc; i++) {
        OptionMatch match = options_take(&request->options, USE_RESUME, argv, argc, &i, error);
        if (match == OPTION_WRONG)
            return false;
        if (match == OPTION_FOREIGN && argv[i] != request->directory)
            return error_set(error, EXIT_USAGE, "unknown argument %s (sennit resume --help)", argv[i]);
    }
    if (!options_check(&request->options, model_is_file(request->head.program) ? PROGRAM_ABS : PROGRAM_C, 0, error))
        return false;
    Text bounds = {0};
    checkpoint_write_bounds(&request->options, &bounds);
    bool same = checkpoint_same_bounds(request->head.bounds, text_borrow(&bounds), error);
    text_release(&bounds);
    return same;
}

/* The first word that is no option. */
static const char *find_directory(int argc, char **argv)
{
    Options scratch;
    Error ignored;
    const char *found = NULL;
    options_init(&scratch);
    for (int i = 1; i < argc && !found; i++)
        if (options_take(&scratch, USE_RESUME, argv, argc, &i, &ignored) == OPTION_FOREIGN && argv[i][0] != '-')
            found = argv[i];
    options_release(&scratch);
    return found;
}

static void set_text(char **place, const char *value)
{
    free(*place);
    *place = mem_copy_string(value);
}

static int resume(ResumeRequest *request, int argc, char **argv, Error *error)
{
    const CheckpointHead *head = &request->head;
    Text options = {0};
    char *here = getcwd(NULL, 0), *directory = realpath(request->directory, NULL);
    char **own = mem_alloc((head->argument_count + 2) * sizeof *own);
    set_text(&request->options.directory, directory ? directory : request->directory);
    set_text(&request->options.resume, request->file.data);
    if (here)
        outfile_settle(&request->options, here);
    free(here);
    memcpy(own + 1, head->arguments, head->argument_count * sizeof *own);
    int code = -1;
    if (chdir(head->directory) < 0) {
        error_set(error, EXIT_USAGE, "%s: %s (the directory of the run)", head->directory, strerror(errno));
    } else if (model_is_file(head->program)) {
        Models files = {0};
        for (uint32_t i = 0; i < head->argument_count; i++)
            VEC_PUSH(&files, head->arguments[i]);
        code = models_explore(&files, &request->options, argc, argv);
        VEC_FREE(&files);
    } else if (binary_check(head->program, error)) {
        options_write(&request->options, USE_SEARCH | USE_INTERNAL, &options);
        binary_add_command(&options, argc, argv);
        binary_become(head->program, text_borrow(&options), own, error);
    }
    text_release(&options);
    free(directory);
    free(own);
    return code;
}

int cmd_resume(int argc, char **argv)
{
    ResumeRequest request = {.directory = find_directory(argc, argv)};
    Error error = {.code = EXIT_USAGE};
    int code = -1;
    options_init(&request.options);
    if (!request.directory)
        error_set(&error, EXIT_USAGE, "no run given: sennit resume sennit-out/NNN");
    else if (find_checkpoint(&request, &error) &&
             options_parse_text(&request.options, USE_EVERY, request.head.options, &error) &&
             take_options(&request, argc, argv, &error))
        code = resume(&request, argc, argv, &error);
    if (code < 0)
        fprintf(stderr, "sennit resume: %s\n", error.text);
    checkpointhead_release(&request.head);
    options_release(&request.options);
    text_release(&request.file);
    return code < 0 ? (int)error.code : code;
}
