/* cmd_run.c - `sennit run FILE.c ...`: the program without instrumentation and exploration
 *
 * Compiled by the plain compiler; actors run on threads (src/inert/live.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "cli/verbs.h"
#include "host/installation.h"
#include "host/scratch.h"
#include "host/subprocess.h"

typedef VEC(const char *) Command;

static int complain(const Error *error)
{
    fprintf(stderr, "sennit run: %s\n", error->text);
    return error->code ? error->code : EXIT_USAGE;
}

static bool has_source(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (argv[i][0] != '-' && strlen(argv[i]) > 2 && strcmp(argv[i] + strlen(argv[i]) - 2, ".c") == 0)
            return true;
    return false;
}

static bool run(const Command *command, Subprocess *result, Error *error)
{
    if (!subprocess_run(command->items, result, error))
        return false;
    if (result->signal)
        subprocess_die_of(result->signal);
    return true;
}

/* Words before `--` are for the compiler, those after it for the program. */
static int compile_and_run(int argc, char **argv, const Installation *installation, Scratch *scratch)
{
    Error error = {0};
    Subprocess result = {0};
    const char *program = scratch_name(scratch, "program", "", &error);
    if (!program)
        return complain(&error);
    Text include = {0};
    text_add(&include, "-I%s", installation->include);
    Command command = {0};
    int i = 0;
    VEC_PUSH(&command, installation->compiler);
    VEC_PUSH(&command, "-g");
    VEC_PUSH(&command, include.data);
    for (; i < argc && strcmp(argv[i], "--") != 0; i++)
        VEC_PUSH(&command, argv[i]);
    VEC_PUSH(&command, "-o");
    VEC_PUSH(&command, program);
    VEC_PUSH(&command, installation->inert);
    VEC_PUSH(&command, "-pthread");
    VEC_PUSH(&command, NULL);
    int code = run(&command, &result, &error) ? result.status : complain(&error);
    if (code == 0) {
        command.count = 0;
        VEC_PUSH(&command, program);
        for (i++; i < argc; i++)
            VEC_PUSH(&command, argv[i]);
        VEC_PUSH(&command, NULL);
        code = run(&command, &result, &error) ? result.status : complain(&error);
    } else {
        code = EXIT_USAGE;
    }
    VEC_FREE(&command);
    text_release(&include);
    return code;
}

int cmd_run(int argc, char **argv)
{
    Installation installation;
    Error error = {0};
    Scratch scratch = {0};
    if (!has_source(argc - 1, argv + 1)) {
        fprintf(stderr, "usage: sennit run FILE.c ... [compiler flags] [-- program arguments]\n");
        return EXIT_USAGE;
    }
    if (!installation_find(&installation, &error))
        return complain(&error);
    int code = compile_and_run(argc - 1, argv + 1, &installation, &scratch);
    scratch_release(&scratch);
    return code;
}
