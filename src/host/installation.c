/* installation.c - see installation.h */
#include "host/installation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool join(char *out, const char *directory, const char *name)
{
    return snprintf(out, PATH_MAX, "%s/%s", directory, name) < PATH_MAX;
}

/* The first candidate, relative to `directory`, that exists. */
static bool find_beside(char *out, const char *directory, const char *const *candidates)
{
    for (; *candidates; candidates++)
        if (join(out, directory, *candidates) && access(out, R_OK) == 0)
            return true;
    return false;
}

/* The same for a part that is required. */
static bool find_own(char *out, const char *directory, const char *const *candidates, Error *error)
{
    return find_beside(out, directory, candidates) ||
           error_set(error, EXIT_INTERNAL, "%s is missing beside %s; is the installation complete?",
                     strrchr(candidates[1], '/') + 1, directory);
}

static bool own_directory(char *out, Error *error)
{
    ssize_t length = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (length < 0)
        return error_set(error, EXIT_INTERNAL, "cannot find the path of this executable: /proc is not mounted");
    out[length] = '\0';
    *strrchr(out, '/') = '\0';
    return true;
}

/* Searches PATH for a program. */
static bool find_in_path(char *out, const char *name)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        int written = snprintf(out, PATH_MAX, "%.*s/%s", (int)length, path, name);
        if (written < PATH_MAX && access(out, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static bool find_compiler(char *out, Error *error)
{
    if (find_in_path(out, "clang-19"))
        return true;
    snprintf(out, PATH_MAX, "/usr/lib/llvm-19/bin/clang");
    if (access(out, X_OK) == 0)
        return true;
    return error_set(error, EXIT_USAGE,
                     "clang-19 is not installed. On Debian and Ubuntu: apt install clang-19 "
                     "(elsewhere: LLVM 19 with the program clang-19 in PATH)");
}

bool installation_find_objcopy(char path[PATH_MAX], Error *error)
{
    return find_in_path(path, "objcopy") ||
           error_set(error, EXIT_USAGE,
                     "objcopy is not installed, which clusters are linked with. On Debian and Ubuntu: "
                     "apt install binutils");
}

bool installation_find(Installation *installation, Error *error)
{
    static const char *const instrumenters[] = {"sennit-instr", "../lib/sennit/sennit-instr", NULL};
    static const char *const runtimes[] = {"lib/sennit-rt.o", "../lib/sennit/sennit-rt.o", NULL};
    static const char *const inerts[] = {"lib/libsennit-inert.a", "../lib/sennit/libsennit-inert.a", NULL};
    static const char *const linkers[] = {"lib/sennit-linker", "../lib/sennit/sennit-linker", NULL};
    static const char *const includes[] = {"include/sennit", "../include/sennit", NULL};
    char directory[PATH_MAX];
    if (!own_directory(directory, error))
        return false;
    if (!find_own(installation->instrumenter, directory, instrumenters, error) ||
        !find_own(installation->runtime, directory, runtimes, error))
        return false;
    if (!find_beside(installation->inert, directory, inerts))
        installation->inert[0] = '\0';
    if (!find_beside(installation->linker, directory, linkers))
        installation->linker[0] = '\0';
    if (find_beside(installation->include, directory, includes))
        *strrchr(installation->include, '/') = '\0';
    else
        installation->include[0] = '\0';
    return find_compiler(installation->compiler, error);
}

bool installation_find_solver(char path[PATH_MAX])
{
    static const char *const solvers[] = {"sennit-solver", "../lib/sennit/sennit-solver", NULL};
    char directory[PATH_MAX];
    Error ignored;
    return own_directory(directory, &ignored) && find_beside(path, directory, solvers);
}

bool installation_find_web(char sennit[PATH_MAX], char web[PATH_MAX], Error *error)
{
    static const char *const places[] = {"sennit-web", "../lib/sennit/sennit-web", NULL};
    char directory[PATH_MAX];
    if (!own_directory(directory, error) || !find_own(web, directory, places, error))
        return false;
    return realpath("/proc/self/exe", sennit) || error_set(error, EXIT_INTERNAL, "cannot find this executable");
}

bool installation_find_examples(char path[PATH_MAX])
{
    static const char *const places[] = {"../share/doc/sennit/examples", "../examples", NULL};
    char directory[PATH_MAX], found[2 * PATH_MAX];
    Error error;
    return own_directory(directory, &error) && find_beside(found, directory, places) && realpath(found, path);
}
