/* scratch.c - see scratch.h */
#include "host/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

static bool make_directory(Scratch *scratch, Error *error)
{
    const char *parent = getenv("TMPDIR");
    if (!parent || !*parent)
        parent = "/tmp";
    int length = snprintf(scratch->directory, sizeof scratch->directory, "%s/sennit-cc-XXXXXX", parent);
    if (length < (int)sizeof scratch->directory && mkdtemp(scratch->directory))
        return true;
    scratch->directory[0] = '\0';
    return error_set(error, EXIT_USAGE, "cannot make a temporary directory in %s: %s", parent, strerror(errno));
}

const char *scratch_name(Scratch *scratch, const char *stem, const char *ending, Error *error)
{
    if (!scratch->directory[0] && !make_directory(scratch, error))
        return NULL;
    const char *slash = strrchr(stem, '/');
    const char *base = slash ? slash + 1 : stem;
    size_t size = strlen(scratch->directory) + strlen(base) + strlen(ending) + 32;
    char *name = mem_alloc(size);
    snprintf(name, size, "%s/%u-%s%s", scratch->directory, scratch->files.count, base, ending);
    VEC_PUSH(&scratch->files, name);
    return name;
}

void scratch_release(Scratch *scratch)
{
    for (uint32_t i = 0; i < scratch->files.count; i++) {
        unlink(scratch->files.items[i]);
        free(scratch->files.items[i]);
    }
    VEC_FREE(&scratch->files);
    if (scratch->directory[0])
        rmdir(scratch->directory);
    scratch->directory[0] = '\0';
}

bool scratch_write(const char *path, const char *bytes, size_t size, Error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && text_write_all(fd, bytes, size);
    if (!good)
        error_set(error, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return good;
}
