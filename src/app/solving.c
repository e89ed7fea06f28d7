/* solving.c - see solving.h */
#include "app/solving.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static void choose_solver(Options *options)
{
    const char *path = access(SENNIT_SOLVER_BUILT, X_OK) == 0 ? SENNIT_SOLVER_BUILT : SENNIT_SOLVER_INSTALLED;
    if (*options->solver)
        return;
    free(options->solver);
    options->solver = mem_copy_string(path);
}

static bool prepare_directory(Options *options, Error *error)
{
    if (!*options->smtlib)
        return true;
    if (mkdir(options->smtlib, 0777) != 0 && errno != EEXIST)
        return error_set(error, EXIT_USAGE, "--smtlib: cannot make %s: %s", options->smtlib, strerror(errno));
    char *path = realpath(options->smtlib, NULL);
    if (!path || access(path, W_OK | X_OK) != 0) {
        error_set(error, EXIT_USAGE, "--smtlib: cannot write to %s: %s", options->smtlib, strerror(errno));
        free(path);
        return false;
    }
    free(options->smtlib);
    options->smtlib = path;
    return true;
}

bool solving_prepare(Options *options, Error *error)
{
    choose_solver(options);
    return prepare_directory(options, error);
}
