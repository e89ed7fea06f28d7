/* cmd_ui.c - `sennit ui`: the page in a browser */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/verbs.h"
#include "host/installation.h"

static bool parse_port(const char *text, uint16_t *port, Error *error)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value > UINT16_MAX)
        return error_set(error, EXIT_USAGE, "--port=%s: expected a number from 0 to %d", text, UINT16_MAX);
    *port = (uint16_t)value;
    return true;
}

static bool parse(int argc, char **argv, const char **place, uint16_t *port, Error *error)
{
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--port=", 7) == 0) {
            if (!parse_port(argv[i] + 7, port, error))
                return false;
        } else if (argv[i][0] == '-') {
            return error_set(error, EXIT_USAGE, "unknown option %s (sennit ui --help lists them)", argv[i]);
        } else if (*place) {
            return error_set(error, EXIT_USAGE, "%s: one directory at a time", argv[i]);
        } else {
            *place = argv[i];
        }
    }
    return true;
}

static bool has_file(const char *directory, const char *name)
{
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", directory, name) < PATH_MAX && access(path, F_OK) == 0;
}

/* A run directory has results, or will have them. */
static bool is_run(const char *directory)
{
    return has_file(directory, "run.json") || has_file(directory, "stats.jsonl");
}

/* Becomes the server. */
static void become_server(const char *place, uint16_t port, Error *error)
{
    char here[PATH_MAX], sennit[PATH_MAX], web[PATH_MAX], examples[PATH_MAX], number[8];
    if (!getcwd(here, sizeof here)) {
        error_set(error, EXIT_USAGE, "the current directory cannot be used: %s", strerror(errno));
        return;
    }
    if (!installation_find_web(sennit, web, error))
        return;
    if (!installation_find_examples(examples))
        examples[0] = '\0';
    snprintf(number, sizeof number, "%u", port);
    bool run = place && is_run(place);
    execl(web, "sennit-web", "serve", sennit, place && !run ? place : here, run ? place : "", examples, number, NULL);
    error_set(error, EXIT_INTERNAL, "%s: %s", web, strerror(errno));
}

int cmd_ui(int argc, char **argv)
{
    char path[PATH_MAX];
    const char *place = NULL;
    uint16_t port = 0;
    Error error = {.code = EXIT_USAGE};
    struct stat status;
    bool good = parse(argc, argv, &place, &port, &error);
    if (good && place && !realpath(place, path))
        good = error_set(&error, EXIT_USAGE, "%s: %s", place, strerror(errno));
    if (good && place && (stat(path, &status) < 0 || !S_ISDIR(status.st_mode)))
        good = error_set(&error, EXIT_USAGE, "%s is not a directory", place);
    if (good)
        become_server(place ? path : NULL, port, &error);
    fprintf(stderr, "sennit ui: %s\n", error.text);
    return error.code;
}
