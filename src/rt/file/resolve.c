/* resolve.c - files_resolve: what path a name of the program means
 *
 * What the real file system says of a path is asked once per process: every execution begins with the same files.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "rt/file/files_internal.h"

/* How a path becomes a name: as it is written; without links in the directories; without any. */
enum { AS_WRITTEN, IN_DIRECTORY, WITHOUT_LINKS, STAGES, KNOWN = 256 };

typedef struct KnownPath {
    char *path;
    char *names[STAGES];
} KnownPath;

static KnownPath known[KNOWN];

static bool fail(int error)
{
    errno = error;
    return false;
}

/* Removes empty components and dots, in place; the path is absolute. */
static void normalise(char *path)
{
    char *end = path, *at = path;
    while (*at) {
        char *next = strchrnul(at + 1, '/');
        size_t length = (size_t)(next - at);
        bool up = length == 3 && at[1] == '.' && at[2] == '.';
        if (up)
            while (end > path && *--end != '/')
                continue;
        else if (length > 1 && !(length == 2 && at[1] == '.')) {
            memmove(end, at, length);
            end += length;
        }
        at = next;
    }
    if (end == path)
        *end++ = '/';
    *end = '\0';
}

static bool make_absolute(int directory, const char *path, char absolute[PATH_MAX])
{
    char link[40], base[PATH_MAX] = "";
    if (*path != '/' && directory == AT_FDCWD) {
        if (!getcwd(base, sizeof base))
            return false;
    } else if (*path != '/') {
        snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
        ssize_t length = readlink(link, base, sizeof base - 1);
        if (length < 0)
            return fail(EBADF);
        base[length] = '\0';
    }
    if (snprintf(absolute, PATH_MAX, "%s/%s", base, path) >= PATH_MAX)
        return fail(ENAMETOOLONG);
    normalise(absolute);
    return true;
}

static const char *shorten(const char *absolute)
{
    size_t length = strlen(files_start());
    if (strcmp(absolute, files_start()) == 0)
        return ".";
    return strncmp(absolute, files_start(), length) == 0 && absolute[length] == '/' ? absolute + length + 1 : absolute;
}

/* Replaces links in what is before the last component, if the real file system has that. */
static void resolve_parent(char absolute[PATH_MAX])
{
    char parent[PATH_MAX], real[PATH_MAX];
    char *last = strrchr(absolute, '/');
    if (last == absolute)
        return;
    snprintf(parent, sizeof parent, "%.*s", (int)(last - absolute), absolute);
    if (!realpath(parent, real) || strcmp(real, parent) == 0 || strlen(real) + strlen(last) >= PATH_MAX)
        return;
    memmove(absolute + strlen(real), last, strlen(last) + 1);
    memcpy(absolute, real, strlen(real));
}

bool files_is_special(const char *name)
{
    return strncmp(name, "/proc/", 6) == 0 || strncmp(name, "/sys/", 5) == 0 ||
           (strncmp(name, "/dev/", 5) == 0 && strncmp(name, "/dev/shm/", 9) != 0);
}

static char *keep(char *old, const char *absolute)
{
    free(old);
    return mem_copy_string(shorten(absolute));
}

/* False, with errno: no path. */
static bool ask(int directory, const char *path, KnownPath *result)
{
    char absolute[PATH_MAX], real[PATH_MAX];
    struct stat status;
    if (!make_absolute(directory, path, absolute))
        return false;
    free(result->path);
    result->path = mem_copy_string(path);
    result->names[AS_WRITTEN] = keep(result->names[AS_WRITTEN], absolute);
    resolve_parent(absolute);
    result->names[IN_DIRECTORY] = keep(result->names[IN_DIRECTORY], absolute);
    bool link = lstat(absolute, &status) == 0 && S_ISLNK(status.st_mode);
    if (link && !files_is_special(absolute) && realpath(absolute, real))
        memcpy(absolute, real, strlen(real) + 1);
    result->names[WITHOUT_LINKS] = keep(result->names[WITHOUT_LINKS], absolute);
    return true;
}

/* NULL, with errno: no path. Relative to a directory, or after chdir, it may mean something else each time. */
static const KnownPath *find_path(int directory, const char *path)
{
    static KnownPath once;
    bool same = *path == '/' || (directory == AT_FDCWD && !files_have_moved());
    KnownPath *found = same ? &known[files_hash_text(path) % KNOWN] : &once;
    if (same && found->path && strcmp(found->path, path) == 0)
        return found;
    return ask(directory, path, found) ? found : NULL;
}

/* A name that the program has made or removed is no link. */
bool files_resolve(int directory, const char *path, bool follow, char name[PATH_MAX])
{
    const KnownPath *found = *path ? find_path(directory, path) : NULL;
    if (!*path)
        return fail(ENOENT);
    if (!found)
        return false;
    int stage = AS_WRITTEN;
    while (stage < (follow ? WITHOUT_LINKS : IN_DIRECTORY) && !name_list_find(files_names(), found->names[stage]))
        stage++;
    memcpy(name, found->names[stage], strlen(found->names[stage]) + 1);
    return true;
}
