/* cmd_cov.c - `sennit cov RUN`: the lines and branches that a run executed, and those it did not */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/verbs.h"
#include "report/coverage.h"

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool read_tracefile(const char *run, Text *content, Error *error)
{
    Text path = {0};
    bool directory = is_directory(run);
    text_add(&path, directory ? "%s/coverage.info" : "%s", run);
    bool good = file_read(path.data, content);
    if (!good && directory && errno == ENOENT)
        error_set(error, EXIT_USAGE, "%s has no coverage: it was explored with --coverage=off, or built by "
                                     "sennit cc without --coverage", run);
    else if (!good)
        error_set(error, EXIT_USAGE, "%s: %s", path.data, strerror(errno));
    text_release(&path);
    return good;
}

static void add_uncovered(const char *run, Text *out)
{
    Text path = {0}, list = {0};
    text_add(&path, "%s/uncovered.txt", run);
    if (is_directory(run) && file_read(path.data, &list)) {
        if (list.length)
            text_add(out, "\nNever taken by any execution:\n%s", list.data);
        else
            text_add_string(out, "\nEvery branch was taken both ways.\n");
    }
    text_release(&path);
    text_release(&list);
}

int cmd_cov(int argc, char **argv)
{
    const char *run = argc > 1 ? argv[1] : "sennit-last";
    Text tracefile = {0}, out = {0};
    Error error = {.code = EXIT_CLEAN};
    if (argc > 2)
        error_set(&error, EXIT_USAGE, "%s: one run at a time", argv[2]);
    else if (run[0] == '-')
        error_set(&error, EXIT_USAGE, "unknown option %s", run);
    else if (read_tracefile(run, &tracefile, &error) && !coverage_write_table(text_borrow(&tracefile), &out))
        error_set(&error, EXIT_USAGE, "%s is not an lcov tracefile", run);
    if (error.code == EXIT_CLEAN) {
        add_uncovered(run, &out);
        fputs(text_borrow(&out), stdout);
    } else {
        fprintf(stderr, "sennit cov: %s\n", error.text);
    }
    text_release(&tracefile);
    text_release(&out);
    return (int)error.code;
}
