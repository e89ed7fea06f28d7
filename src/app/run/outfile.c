/* outfile.c - see outfile.h */
#include "app/run/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* Where the content is written first: beside the file itself, not beside a link to it. */
static void add_temporary(const char *path, Text *target, Text *temporary)
{
    char real[PATH_MAX];
    text_add_string(target, realpath(path, real) ? real : path);
    text_add(temporary, "%s.%d.part", target->data, (int)getpid());
}

/* The descriptor of standard output or standard error if the file is what it writes to (as /dev/stdout is), else -1. */
static int standard_descriptor(const struct stat *file)
{
    struct stat status;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &status) == 0 && status.st_dev == file->st_dev && status.st_ino == file->st_ino)
            return fd;
    return -1;
}

/* Can the file not be replaced by another? One that is open but was deleted has no name: what leads to it, such as
 * /dev/stdout, would be replaced instead. */
bool outfile_is_special(const char *path)
{
    char real[PATH_MAX];
    struct stat status;
    return stat(path, &status) == 0 &&
           (!S_ISREG(status.st_mode) || standard_descriptor(&status) >= 0 || !realpath(path, real));
}

/* Behind what was printed, if it is where we print. */
static bool write_special(const char *path, const char *bytes, size_t size)
{
    struct stat status;
    int fd = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? standard_descriptor(&status) : -1;
    if (fd < 0)
        return file_write(path, 0, bytes, size);
    FILE *stream = fd == STDOUT_FILENO ? stdout : stderr;
    return fwrite(bytes, 1, size, stream) == size && fflush(stream) == 0;
}

static bool check_file(const char *path, const char *option, Error *error)
{
    Text target = {0}, temporary = {0};
    add_temporary(path, &target, &temporary);
    bool good;
    int problem;
    if (outfile_is_special(path)) {
        int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        problem = errno;
        good = fd >= 0 || problem == ENXIO; /* a pipe that is not read yet */
        if (fd >= 0)
            close(fd);
    } else {
        good = file_write(temporary.data, O_TRUNC, "", 0);
        problem = errno;
        if (good)
            unlink(temporary.data);
    }
    text_release(&target);
    text_release(&temporary);
    return good || error_set(error, EXIT_USAGE, "--%s: cannot write %s: %s", option, path, strerror(problem));
}

bool outfile_check(const Options *options, Error *error)
{
    if (options->github && options->json)
        return error_set(error, EXIT_USAGE, "--github and --json: both write to standard output");
    if (*options->junit && strcmp(options->junit, options->sarif) == 0)
        return error_set(error, EXIT_USAGE, "--junit and --sarif: both write to %s", options->junit);
    return (!*options->junit || check_file(options->junit, "junit", error)) &&
           (!*options->sarif || check_file(options->sarif, "sarif", error));
}

static void make_absolute(char **path, const char *directory)
{
    Text full = {0};
    if (!**path || **path == '/')
        return;
    text_add(&full, "%s/%s", directory, *path);
    free(*path);
    *path = full.data;
}

void outfile_settle(Options *options, const char *directory)
{
    make_absolute(&options->junit, directory);
    make_absolute(&options->sarif, directory);
}

bool outfile_write(const char *path, const Text *content, Error *error)
{
    const char *bytes = text_borrow(content);
    Text target = {0}, temporary = {0};
    add_temporary(path, &target, &temporary);
    bool good = outfile_is_special(path) ? write_special(path, bytes, content->length)
                                 : file_write(temporary.data, O_TRUNC, bytes, content->length) &&
                                       rename(temporary.data, target.data) == 0;
    int problem = errno;
    if (!good)
        unlink(temporary.data);
    text_release(&target);
    text_release(&temporary);
    return good || error_set(error, EXIT_INTERNAL, "cannot write %s: %s", path, strerror(problem));
}
