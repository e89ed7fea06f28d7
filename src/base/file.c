/* file.c - see file.h */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

bool file_read(const char *path, Text *content)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool good = text_add_file(content, fd);
    int problem = errno;
    close(fd);
    errno = problem;
    return good;
}

bool file_write(const char *path, int flags, const char *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
    if (fd < 0)
        return false;
    bool good = text_write_all(fd, bytes, size);
    int problem = errno;
    if (close(fd) < 0 && good) {
        problem = errno;
        good = false;
    }
    errno = problem;
    return good;
}

bool file_make_directory(const char *path)
{
    char *copy = mem_copy_string(path);
    struct stat status;
    for (char *slash = copy + 1; *copy && (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(copy, 0777); /* if it fails, so does the last one */
        *slash = '/';
    }
    bool good = mkdir(copy, 0777) == 0 || errno == EEXIST;
    if (good && stat(copy, &status) == 0 && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        good = false;
    }
    int problem = errno;
    free(copy);
    errno = problem;
    return good;
}
