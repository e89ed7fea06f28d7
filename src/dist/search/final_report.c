/* final_report.c - see final_report.h */
#include "dist/search/final_report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/search/checkpoint.h"
#include "base/mem.h"
#include "host/binary.h"
#include "host/claim.h"
#include "host/subprocess.h"
#include "sennit_version.h"
#include "subject/abs/models.h"

static void add_bugs(const StoreBugs *bugs, Text *text)
{
    for (uint32_t i = 0; i < bugs->count; i++) {
        const Text *bug = &bugs->items[i].text;
        size_t first = strcspn(text_borrow(bug), "\n");
        checkpoint_add_bug(bugs->items[i].identity, text_borrow(bug), first, text_borrow(bug) + first + 1,
                           bug->length - first - 1, text);
    }
}

static void write_checkpoint(const SharedResult *result, const Parcel *parcel, const SharedProgram *program,
                             const Options *options, Text *text)
{
    Text words = {0}, bounds = {0};
    char *directory = getcwd(NULL, 0);
    const StoreReport *report = result->report;
    options_write(options, USE_SEARCH | USE_RUN, &words);
    checkpoint_write_bounds(options, &bounds);
    CheckpointHead head = {.version = SENNIT_VERSION,
                           .program = parcel->program,
                           .hash = (char *)parcel->hash,
                           .directory = directory,
                           .options = (char *)text_borrow(&words),
                           .bounds = (char *)text_borrow(&bounds),
                           .arguments = program->arguments,
                           .seconds = report->seconds,
                           .cpu_seconds = report->cpu_seconds,
                           .ending = report->state.stopped ? (char *)report->state.stop : NULL};
    while (program->arguments[head.argument_count])
        head.argument_count++;
    checkpoint_begin(&head, &report->stats, text);
    add_bugs(result->bugs, text);
    text_add_bytes(text, text_borrow(result->records), result->records->length);
    checkpoint_end(text);
    free(directory);
    text_release(&words);
    text_release(&bounds);
}

static bool save(const Text *text, const char *path, Error *error)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && text_write_all(fd, text->data, text->length);
    if (!good)
        error_set(error, EXIT_INTERNAL, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return good;
}

static int run_binary(const char *program, char **arguments, const char *options, Error *error)
{
    Subprocess result;
    VEC(const char *) argv = {0};
    VEC_PUSH(&argv, program);
    for (; *arguments; arguments++)
        VEC_PUSH(&argv, *arguments);
    VEC_PUSH(&argv, NULL);
    setenv("SENNIT_OPTIONS", options, 1);
    int code = subprocess_run(argv.items, &result, error) ? result.status : -1;
    VEC_FREE(&argv);
    return code;
}

/* Only the bugs are left to confirm, in what is left of the time. */
static void resume_from(Options *options, const char *path, double seconds)
{
    static const double LEAST = 0.05;
    if (options->max_time > 0)
        options->max_time = options->max_time - seconds > LEAST ? options->max_time - seconds : LEAST;
    free(options->resume);
    free(options->store);
    options->resume = mem_copy_string(path);
    options->store = mem_copy_string("");
    options->jobs = 1;
}

static int resume_model(const SharedProgram *program, const Options *options, int argc, char **argv)
{
    Models files = {0};
    for (uint32_t i = 0; i < program->model_count; i++)
        VEC_PUSH(&files, program->arguments[i]);
    int code = models_explore(&files, options, argc, argv);
    VEC_FREE(&files);
    return code;
}

static int resume_binary(const SharedProgram *program, const char *path, const Options *options, int argc, char **argv,
                         Error *error)
{
    Text words = {0};
    options_write(options, USE_SEARCH | USE_INTERNAL, &words);
    binary_add_command(&words, argc, argv);
    int code = run_binary(path, program->arguments, words.data, error);
    text_release(&words);
    return code;
}

int final_report(const SharedResult *result, const Parcel *parcel, const SharedProgram *program, Options *options,
                 int argc, char **argv, Error *error)
{
    Text text = {0};
    Claim file = {0};
    int code = -1;
    write_checkpoint(result, parcel, program, options, &text);
    if (claim_make(&file, "sennit-search", false, error) && save(&text, file.path, error)) {
        resume_from(options, file.path, result->report->seconds);
        code = program->model_count ? resume_model(program, options, argc, argv)
                                    : resume_binary(program, parcel->program, options, argc, argv, error);
    }
    claim_release(&file);
    text_release(&text);
    return code;
}
