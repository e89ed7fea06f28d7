/* cmd_check.c - `sennit check FILE.abs ...`: lists every error of a model */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/verbs.h"
#include "subject/abs/model.h"

static bool parse(int argc, char **argv, Error *error)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-' && argv[i][1])
            return error_set(error, EXIT_USAGE, "unknown option %s (sennit check takes files only)", argv[i]);
    return argc > 1 || error_set(error, EXIT_USAGE, "no file given: sennit check FILE.abs ...");
}

int cmd_check(int argc, char **argv)
{
    Error error = {.code = EXIT_USAGE};
    Text text = {0};
    int first = argc > 1 && strcmp(argv[1], "--") == 0 ? 2 : 1;
    bool good = (first == 2 || parse(argc, argv, &error)) &&
                model_check((const char *const *)argv + first, (uint32_t)(argc - first), &text, &error);
    fputs(text_borrow(&text), stdout);
    text_release(&text);
    if (good)
        printf("%s%s: no errors\n", argv[first], argc - first > 1 ? " and other files" : "");
    if (*error.text)
        fprintf(stderr, "sennit check: %s\n", error.text);
    return good ? EXIT_CLEAN : EXIT_USAGE;
}
