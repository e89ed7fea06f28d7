/* claim.c - see claim.h */
#include "host/claim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANDOM = 6, ATTEMPTS = 20 };

static const char *parent(void)
{
    const char *given = getenv("TMPDIR");
    return given && *given ? given : "/tmp";
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path) < 0 && errno != ENOENT;
}

static bool remove_all(const char *path) { return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) == 0; }

/* Does the path still name the open file? */
static bool is_at(int fd, const char *path)
{
    struct stat opened, named;
    return fstat(fd, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

/* The lock, or -1: another process holds it, or the file system has no locks. Does not follow links. */
static int try_lock(const char *path)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -1;
    bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (locked && is_at(fd, path))
        return fd;
    int problem = locked ? ENOENT : errno;
    close(fd);
    errno = problem;
    return -1;
}

/* ---- Those left behind by killed processes -------------------------------------------------------- */

static bool is_made_from(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    return strncmp(name, stem, length) == 0 && name[length] == '-' && strlen(name) == length + 1 + RANDOM;
}

static bool is_ours(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && status.st_uid == geteuid() &&
           (S_ISDIR(status.st_mode) || S_ISREG(status.st_mode));
}

static void sweep(const char *stem)
{
    DIR *listing = opendir(parent());
    struct dirent *entry;
    char path[PATH_MAX];
    while (listing && (entry = readdir(listing))) {
        if (!is_made_from(entry->d_name, stem) ||
            snprintf(path, sizeof path, "%s/%s", parent(), entry->d_name) >= (int)sizeof path || !is_ours(path))
            continue;
        int lock = try_lock(path);
        if (lock < 0)
            continue;
        remove_all(path);
        close(lock);
    }
    if (listing)
        closedir(listing);
}

/* ---- Making one ------------------------------------------------------------------------------ */

static bool make(Claim *claim, const char *stem, bool directory)
{
    if (snprintf(claim->path, sizeof claim->path, "%s/%s-XXXXXX", parent(), stem) >= (int)sizeof claim->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (directory)
        return mkdtemp(claim->path) != NULL;
    int fd = mkostemp(claim->path, O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Another process may sweep between making and locking: then the file is gone, or will be, and is made again. Where
 * there are no locks (some network file systems) it is kept, since nothing can be swept either. */
bool claim_make(Claim *claim, const char *stem, bool directory, Error *error)
{
    sweep(stem);
    for (int i = 0; i < ATTEMPTS; i++) {
        if (!make(claim, stem, directory)) {
            claim->path[0] = '\0';
            return error_set(error, EXIT_INTERNAL, "cannot make a temporary %s in %s: %s",
                             directory ? "directory" : "file", parent(), strerror(errno));
        }
        claim->lock = try_lock(claim->path);
        if (claim->lock >= 0 || (errno != EWOULDBLOCK && errno != ENOENT))
            return true;
    }
    claim->path[0] = '\0';
    return error_set(error, EXIT_INTERNAL, "cannot lock a temporary file in %s", parent());
}

void claim_release(Claim *claim)
{
    if (!claim->path[0])
        return;
    if (!remove_all(claim->path))
        fprintf(stderr, "sennit: %s was not removed: %s\n", claim->path, strerror(errno));
    if (claim->lock >= 0)
        close(claim->lock);
    *claim = (Claim){.lock = -1};
}
