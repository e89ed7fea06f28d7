/* workspace.c - see workspace.h */
#include "web/workspace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DEEPEST = 8 };

/* ---- Opening ------------------------------------------------------------------------ */

/* The kernel refuses names that lead out of the directory, whatever they are made of. */
static int open_below(const char *directory, const char *name, uint64_t flags, uint64_t mode)
{
    struct open_how how = {
        .flags = flags | O_CLOEXEC, .mode = mode, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    int folder = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return -1;
    int file = (int)syscall(SYS_openat2, folder, name, &how, sizeof how);
    int reason = errno;
    close(folder);
    errno = reason;
    return file;
}

int workspace_open(const char *directory, const char *name)
{
    struct stat status;
    int file = open_below(directory, name, O_RDONLY | O_NONBLOCK, 0);
    if (file >= 0 && (fstat(file, &status) < 0 || !S_ISREG(status.st_mode))) {
        close(file);
        errno = ENOENT;
        return -1;
    }
    return file;
}

bool workspace_read(const char *directory, const char *name, long long most, Text *out)
{
    struct stat status;
    int file = workspace_open(directory, name);
    if (file < 0)
        return false;
    bool good = fstat(file, &status) == 0 && status.st_size <= most && text_add_file(out, file);
    close(file);
    return good;
}

/* ---- Writing -------------------------------------------------------------------------- */

/* A new file beside the old one takes its place, so that half of it is never seen. */
bool workspace_write(const char *directory, const char *name, const Text *content)
{
    const char *slash = strrchr(name, '/');
    char *folder = slash ? strndup(name, (size_t)(slash - name)) : strdup(".");
    const char *own = slash ? slash + 1 : name;
    char fresh[64];
    snprintf(fresh, sizeof fresh, ".sennit-%d-%p", (int)getpid(), (const void *)content);
    int place = open_below(directory, folder, O_PATH | O_DIRECTORY, 0);
    free(folder);
    if (place < 0 || !*own || strcmp(own, ".") == 0 || strcmp(own, "..") == 0) {
        if (place >= 0)
            close(place);
        errno = ENOENT;
        return false;
    }
    int file = openat(place, fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    bool good = file >= 0 && text_write_all(file, text_borrow(content), content->length);
    if (file >= 0)
        good = close(file) == 0 && good;
    good = good && renameat(place, fresh, place, own) == 0;
    int reason = errno;
    if (!good && file >= 0)
        unlinkat(place, fresh, 0);
    close(place);
    errno = reason;
    return good;
}

/* ---- Listing ---------------------------------------------------------------------------- */

typedef struct Listing {
    void (*each)(void *context, const char *name, long long size);
    void *context;
    unsigned left;
} Listing;

static bool is_edited_here(const char *name)
{
    static const char *const endings[] = {".c", ".h", ".abs", ".md", ".txt", ".conf"};
    size_t length = strlen(name);
    for (unsigned i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t size = strlen(endings[i]);
        if (length > size && strcmp(name + length - size, endings[i]) == 0)
            return true;
    }
    return false;
}

static bool is_passed_over(const char *name)
{
    return *name == '.' || strcmp(name, "sennit-out") == 0 || strcmp(name, "node_modules") == 0;
}

static void list(Listing *listing, int folder, const char *prefix, unsigned depth);

static void list_entry(Listing *listing, int folder, const char *prefix, const char *name, unsigned depth)
{
    struct stat status;
    Text path = {0};
    if (is_passed_over(name) || fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    text_add(&path, "%s%s", prefix, name);
    if (S_ISDIR(status.st_mode) && depth < DEEPEST) {
        int below = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        text_add_string(&path, "/");
        if (below >= 0)
            list(listing, below, path.data, depth + 1);
    } else if (S_ISREG(status.st_mode) && is_edited_here(name) && listing->left > 0) {
        listing->left--;
        listing->each(listing->context, path.data, status.st_size);
    }
    text_release(&path);
}

/* Closes the folder. */
static void list(Listing *listing, int folder, const char *prefix, unsigned depth)
{
    struct dirent **entries;
    int count = scandirat(folder, ".", &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        list_entry(listing, folder, prefix, entries[i]->d_name, depth);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    close(folder);
}

void workspace_each(const char *directory, void (*each)(void *context, const char *name, long long size),
                    void *context)
{
    Listing listing = {each, context, WORKSPACE_MOST_FILES};
    int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0)
        list(&listing, folder, "", 0);
}
