/* failure.c - see failure.h */
#include "cli/failure.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/tasks/results.h"

static void keep_command(Options *options, int argc, char **argv)
{
    Text command = {0};
    text_add_string(&command, "sennit");
    for (int i = 0; i < argc; i++)
        text_add(&command, " %s", argv[i]);
    free(options->command);
    options->command = command.data;
}

int failure_tell(const char *verb, Options *options, const char *name, int argc, char **argv, const Error *error)
{
    fprintf(stderr, "sennit %s: %s\n", verb, error->text);
    keep_command(options, argc, argv);
    results_fail(options, name, error);
    return error->code;
}
