/* html.c - see html.h
 *
 * `sennit test` becomes the test binary, so the report is written by a process that waits for it.
 */
#include "cli/html.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/vec.h"
#include "host/installation.h"
#include "host/subprocess.h"

typedef struct HtmlCommand {
    VEC(const char *) words;    /* the command without --html   */
    const char *file;           /* of the report                */
    const char *directory;      /* of the run                   */
} HtmlCommand;

static bool is_before_program(int i, int argc, char **argv) { return i < argc && strcmp(argv[i], "--") != 0; }

/* The value of an option at argv[*i], in this word or the next; NULL if it is another word. */
static const char *value_at(int *i, int argc, char **argv, const char *name)
{
    size_t length = strlen(name);
    bool is_letter = name[1] != '-';
    if (strncmp(argv[*i], name, length) != 0)
        return NULL;
    const char *rest = argv[*i] + length;
    if (*rest == '\0')
        return *i + 1 < argc ? argv[++*i] : NULL;
    return *rest == '=' && !is_letter ? rest + 1 : is_letter ? rest : NULL;
}

bool html_is_wanted(int argc, char **argv)
{
    for (int i = 1; is_before_program(i, argc, argv); i++)
        if (strcmp(argv[i], "--html") == 0 || strncmp(argv[i], "--html=", 7) == 0)
            return true;
    return false;
}

static void read_command(HtmlCommand *command, int argc, char **argv)
{
    int i = 1;
    command->directory = "sennit-last";
    VEC_PUSH(&command->words, "/proc/self/exe");
    VEC_PUSH(&command->words, argv[0]);
    for (; is_before_program(i, argc, argv); i++) {
        int first = i;
        const char *file = value_at(&i, argc, argv, "--html");
        if (file) {
            command->file = file;
            continue;
        }
        const char *output = value_at(&i, argc, argv, "--output");
        output = output ? output : value_at(&i, argc, argv, "-o");
        command->directory = output ? output : command->directory;
        for (int k = first; k <= i; k++)
            VEC_PUSH(&command->words, argv[k]);
    }
    for (; i < argc; i++)
        VEC_PUSH(&command->words, argv[i]);
    VEC_PUSH(&command->words, NULL);
}

/* Was run.json written since? An older one is the result of another run. */
static bool has_result(const char *directory, const struct timespec *since)
{
    char path[PATH_MAX];
    struct stat status;
    snprintf(path, sizeof path, "%s/run.json", directory);
    if (stat(path, &status) < 0)
        return false;
    return status.st_mtim.tv_sec > since->tv_sec ||
           (status.st_mtim.tv_sec == since->tv_sec && status.st_mtim.tv_nsec >= since->tv_nsec);
}

static bool write_report(const char *directory, const char *file, Error *error)
{
    char sennit[PATH_MAX], web[PATH_MAX];
    Subprocess result;
    if (!installation_find_web(sennit, web, error))
        return false;
    const char *const argv[] = {web, "report", sennit, directory, file, NULL};
    return subprocess_run(argv, &result, error) &&
           (result.status == 0 || error_set(error, EXIT_INTERNAL, "%s is not written", file));
}

int html_run(int argc, char **argv)
{
    HtmlCommand command = {0};
    Subprocess result;
    Error error;
    struct timespec start;
    char directory[PATH_MAX];
    read_command(&command, argc, argv);
    if (!command.file || !*command.file) {
        fprintf(stderr, "sennit %s: --html needs the name of a file\n", argv[0]);
        return EXIT_USAGE;
    }
    clock_gettime(CLOCK_REALTIME_COARSE, &start); /* as file systems do */
    if (!subprocess_run(command.words.items, &result, &error)) {
        fprintf(stderr, "sennit %s: %s\n", argv[0], error.text);
        return error.code;
    }
    int code = result.status;
    if (!has_result(command.directory, &start) || !realpath(command.directory, directory)) {
        if (code != EXIT_USAGE)
            fprintf(stderr, "sennit %s: %s is not written: the run has no result\n", argv[0], command.file);
    } else if (!write_report(directory, command.file, &error)) {
        fprintf(stderr, "sennit %s: %s\n", argv[0], error.text);
        code = EXIT_INTERNAL;
    }
    VEC_FREE(&command.words);
    return code;
}
