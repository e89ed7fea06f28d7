/* files.c - see files.h
 *
 * The contents of a file are a memfd, opened again for each descriptor: so positions, flags, streams and copies are the
 * system's own. What is ours are the names. A real file that is only read is opened itself; should the program change
 * it later, its open descriptors move to the copy.
 */
#include "rt/io/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/io/open_file.h"
#include "rt/kernel/node.h"
#include "rt/kernel/runtime.h"
#include "rt/libc/libc.h"

struct File {
    File *next;
    char *name;        /* its last one */
    int storage;       /* -1: a directory */
    mode_t mode;
};

/* What became of a name. */
typedef struct NameEntry {
    struct NameEntry *next;
    char *name;
    File *file;        /* NULL: removed */
} NameEntry;

enum { KNOWN = 1 << 12, KNOWN_LENGTH = 64, LARGEST_COPY = 1 << 28, TIME_OF_FILES = 1000000000 };

static struct {
    File *files;
    NameEntry *names;
    char start[PATH_MAX]; /* where the program was started */
    int start_directory;
    bool moved;           /* the program has changed its directory */
    char (*known)[KNOWN_LENGTH]; /* names by hash, for reports; of all processes */
} fs;

static int fail(int error)
{
    errno = error;
    return -1;
}

/* ---- Names ---------------------------------------------------------------------------- */

uint64_t files_hash(const char *name)
{
    uint64_t hash = 14695981039346656037ull;
    for (const char *at = name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211ull;
    hash &= 0xffffffffffffull;
    if (fs.known && !*fs.known[hash % KNOWN])
        snprintf(fs.known[hash % KNOWN], KNOWN_LENGTH, "%s", name);
    return hash;
}

const char *files_name_of_hash(uint64_t hash)
{
    const char *name = fs.known ? fs.known[hash % KNOWN] : "";
    return *name && files_hash(name) == hash ? name : NULL;
}

static NameEntry *find_name(const char *name)
{
    for (NameEntry *at = fs.names; at; at = at->next)
        if (strcmp(at->name, name) == 0)
            return at;
    return NULL;
}

File *files_find(const char *name)
{
    const NameEntry *found = find_name(name);
    return found ? found->file : NULL;
}

static void set_name(const char *name, File *file)
{
    if (node_self())
        report_not_modelled("a file that a node of a cluster makes or changes");
    NameEntry *entry = find_name(name);
    if (!entry) {
        entry = mem_alloc(sizeof *entry);
        *entry = (NameEntry){.next = fs.names, .name = mem_copy_string(name)};
        fs.names = entry;
    }
    entry->file = file;
    if (!file)
        return;
    free(file->name);
    file->name = mem_copy_string(name);
}

static bool is_below(const char *name, const char *directory)
{
    size_t length = strlen(directory);
    if (strcmp(directory, ".") == 0)
        return *name != '/';
    return strncmp(name, directory, length) == 0 && (name[length] == '/' || directory[length - 1] == '/');
}

bool files_changed_below(const char *directory)
{
    for (const NameEntry *at = fs.names; at; at = at->next)
        if (is_below(at->name, directory))
            return true;
    return false;
}

/* ---- Resolving ---------------------------------------------------------------------------- */

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
            return fail(EBADF) == 0;
        base[length] = '\0';
    }
    if (snprintf(absolute, PATH_MAX, "%s/%s", base, path) >= PATH_MAX)
        return fail(ENAMETOOLONG) == 0;
    normalise(absolute);
    return true;
}

static const char *shorten(const char *absolute)
{
    size_t length = strlen(fs.start);
    if (strcmp(absolute, fs.start) == 0)
        return ".";
    return strncmp(absolute, fs.start, length) == 0 && absolute[length] == '/' ? absolute + length + 1 : absolute;
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

bool files_resolve(int directory, const char *path, bool follow, char name[PATH_MAX])
{
    char absolute[PATH_MAX], real[PATH_MAX];
    struct stat status;
    if (!*path)
        return fail(ENOENT) == 0;
    if (!make_absolute(directory, path, absolute))
        return false;
    if (!find_name(shorten(absolute)))
        resolve_parent(absolute);
    bool link = follow && !find_name(shorten(absolute)) && lstat(absolute, &status) == 0 && S_ISLNK(status.st_mode);
    if (link && !files_is_special(absolute) && realpath(absolute, real))
        memcpy(absolute, real, strlen(real) + 1);
    const char *shown = shorten(absolute);
    memmove(name, shown, strlen(shown) + 1);
    return true;
}

bool files_is_special(const char *name)
{
    return strncmp(name, "/proc/", 6) == 0 || strncmp(name, "/sys/", 5) == 0 ||
           (strncmp(name, "/dev/", 5) == 0 && strncmp(name, "/dev/shm/", 9) != 0);
}

/* Where the system looks for it: the program may have changed its directory. */
static const char *system_name(const char *name, char path[PATH_MAX])
{
    if (*name == '/' || snprintf(path, PATH_MAX, "%s/%s", fs.start, name) >= PATH_MAX)
        return name;
    return path;
}

static bool stat_real(const char *name, bool follow, struct stat *status)
{
    char path[PATH_MAX];
    name = system_name(name, path);
    return (follow ? stat(name, status) : lstat(name, status)) == 0;
}

bool files_exists(const char *name)
{
    struct stat status;
    const NameEntry *found = find_name(name);
    int kept = errno;
    bool exists = found ? found->file != NULL : stat_real(name, false, &status);
    errno = kept;
    return exists;
}

static bool is_directory(const char *name)
{
    struct stat status;
    const NameEntry *found = find_name(name);
    if (found)
        return found->file && found->file->storage < 0;
    return stat_real(name, true, &status) && S_ISDIR(status.st_mode);
}

/* Can names be made and removed where this one is? Else errno. */
static bool parent_permits(const char *name)
{
    char parent[PATH_MAX], path[PATH_MAX];
    const char *last = strrchr(name, '/');
    snprintf(parent, sizeof parent, "%.*s", last ? last == name ? 1 : (int)(last - name) : 1, last ? name : ".");
    if (!is_directory(parent))
        return fail(files_exists(parent) ? ENOTDIR : ENOENT) == 0;
    return find_name(parent) || access(system_name(parent, path), W_OK | X_OK) == 0;
}

/* ---- Contents --------------------------------------------------------------------------------- */

static File *make_file(int storage, mode_t mode)
{
    File *file = mem_alloc(sizeof *file);
    *file = (File){.next = fs.files, .storage = storage, .mode = mode};
    fs.files = file;
    return file;
}

static int make_storage(void)
{
    int storage = memfd_create("sennit", MFD_CLOEXEC);
    if (storage < 0)
        report_not_modelled("a file of the program without memory for it (memfd_create)");
    return storage;
}

static int open_storage(int storage, int flags)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", storage);
    return open(path, (flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW | O_TMPFILE)) | O_CLOEXEC);
}

static void copy_contents(int from, int to)
{
    char buffer[1 << 14];
    ssize_t size;
    off_t total = 0;
    while ((size = read(from, buffer, sizeof buffer)) > 0) {
        total += size;
        if (total > LARGEST_COPY || write(to, buffer, (size_t)size) != size)
            report_not_modelled("changing a file of more than 256 MB");
    }
}

/* The real file becomes one of the execution. NULL, with errno, if it cannot be opened. `access`: O_RDONLY or, if it
 * is to be changed, O_WRONLY, which decides whether that is allowed. */
static File *take_over(const char *name, int access)
{
    char path[PATH_MAX];
    struct stat status;
    const char *at = system_name(name, path);
    int real = open(at, access | O_CLOEXEC);
    if (real >= 0 && access != O_RDONLY) {
        close(real);
        real = open(at, O_RDONLY | O_CLOEXEC);
    }
    if (real < 0)
        return NULL;
    File *file = make_file(make_storage(), 0);
    fstat(real, &status);
    file->mode = status.st_mode & 07777;
    copy_contents(real, file->storage);
    close(real);
    fchmod(file->storage, file->mode);
    set_name(name, file);
    open_file_move(name, file, file->storage);
    return file;
}

const char *file_name(const File *file) { return file->name; }

void file_fix_stat(const File *file, struct stat *result)
{
    bool directory = file->storage < 0;
    result->st_dev = 1;
    result->st_ino = files_hash(file->name);
    result->st_nlink = directory ? 2 : 1;
    result->st_mode = (directory ? S_IFDIR : S_IFREG) | file->mode;
    result->st_atim = result->st_mtim = result->st_ctim = (struct timespec){.tv_sec = TIME_OF_FILES};
}

/* ---- Opening ------------------------------------------------------------------------------------- */

static int open_new(const char *name, int flags, mode_t mode)
{
    if (!parent_permits(name))
        return -1;
    File *file = make_file(make_storage(), mode & ~libc_umask() & 07777);
    int descriptor = open_storage(file->storage, flags);
    fchmod(file->storage, file->mode);
    set_name(name, file);
    return descriptor;
}

static int open_existing(File *file, int flags)
{
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (file->storage < 0)
        return writes || flags & O_CREAT ? fail(EISDIR) : fail(EACCES);
    if (flags & O_DIRECTORY)
        return fail(ENOTDIR);
    return open_storage(file->storage, flags);
}

static int open_real(const char *name, int flags, const struct stat *status)
{
    char path[PATH_MAX];
    bool changes = (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
    if (S_ISFIFO(status->st_mode))
        report_not_modelled("opening a FIFO");
    if (!S_ISREG(status->st_mode) || !changes || flags & O_PATH)
        return open(system_name(name, path), (flags & ~O_CREAT) | O_CLOEXEC);
    File *file = take_over(name, flags & O_ACCMODE ? O_WRONLY : O_RDONLY);
    return file ? open_existing(file, flags) : -1;
}

int files_open(const char *name, int flags, mode_t mode)
{
    struct stat status;
    const NameEntry *found = find_name(name);
    if ((flags & O_TMPFILE) == O_TMPFILE)
        return files_open_unnamed();
    if (found && found->file && found->file->storage < 0 && !(flags & (O_CREAT | O_ACCMODE)))
        report_not_modelled("opening a directory that the program has made");
    bool exists = found ? found->file != NULL : stat_real(name, true, &status);
    if (!exists)
        return flags & O_CREAT ? open_new(name, flags, mode) : fail(ENOENT);
    if (flags & O_CREAT && flags & O_EXCL)
        return fail(EEXIST);
    return found ? open_existing(found->file, flags) : open_real(name, flags, &status);
}

int files_open_unnamed(void)
{
    int storage = make_storage();
    int descriptor = open_storage(storage, O_RDWR);
    close(storage);
    return descriptor;
}

/* ---- Changing names --------------------------------------------------------------------------------- */

int files_unlink(const char *name)
{
    if (!files_exists(name))
        return fail(ENOENT);
    if (is_directory(name))
        return fail(EISDIR);
    if (!parent_permits(name))
        return -1;
    set_name(name, NULL);
    return 0;
}

int files_make_directory(const char *name, mode_t mode)
{
    if (files_exists(name))
        return fail(EEXIST);
    if (!parent_permits(name))
        return -1;
    set_name(name, make_file(-1, mode & ~libc_umask() & 07777));
    return 0;
}

/* Is there no entry that was not removed? */
static bool is_empty(const char *name)
{
    char path[PATH_MAX], entry_name[PATH_MAX + 300];
    for (const NameEntry *at = fs.names; at; at = at->next)
        if (at->file && is_below(at->name, name))
            return false;
    if (files_find(name))
        return true;
    DIR *directory = opendir(system_name(name, path));
    const struct dirent *entry;
    bool empty = true;
    while (directory && empty && (entry = readdir(directory))) {
        snprintf(entry_name, sizeof entry_name, "%s/%s", name, entry->d_name);
        const char *relative = strncmp(entry_name, "./", 2) == 0 ? entry_name + 2 : entry_name;
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || find_name(relative);
    }
    if (directory)
        closedir(directory);
    return empty;
}

int files_remove_directory(const char *name)
{
    if (!files_exists(name))
        return fail(ENOENT);
    if (!is_directory(name))
        return fail(ENOTDIR);
    if (!is_empty(name))
        return fail(ENOTEMPTY);
    if (!parent_permits(name))
        return -1;
    set_name(name, NULL);
    return 0;
}

int files_rename(const char *from, const char *to)
{
    if (!files_exists(from))
        return fail(ENOENT);
    if (is_directory(from))
        report_not_modelled("renaming a directory");
    if (files_exists(to) && is_directory(to))
        return fail(EISDIR);
    if (!parent_permits(from) || !parent_permits(to))
        return -1;
    if (strcmp(from, to) == 0)
        return 0;
    File *file = files_find(from);
    if (!file && !(file = take_over(from, O_RDONLY)))
        return -1;
    set_name(from, NULL);
    set_name(to, file);
    return 0;
}

/* ---- Looking ------------------------------------------------------------------------------------------ */

int file_set_mode(File *file, mode_t mode)
{
    file->mode = mode & 07777;
    return file->storage < 0 ? 0 : fchmod(file->storage, file->mode);
}

int files_set_mode(const char *name, mode_t mode)
{
    File *file = files_find(name);
    if (!files_exists(name))
        return fail(ENOENT);
    if (!file && is_directory(name))
        report_not_modelled("changing the mode of a directory that the program has not made");
    if (!file && !(file = take_over(name, O_RDONLY)))
        return -1;
    return file_set_mode(file, mode);
}

int files_access(const char *name, int how)
{
    char path[PATH_MAX];
    const NameEntry *found = find_name(name);
    if (!found)
        return access(system_name(name, path), how);
    if (!found->file)
        return fail(ENOENT);
    if (found->file->storage < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", found->file->storage);
    return access(path, how);
}

int files_stat(const char *name, bool follow, struct stat *result)
{
    const NameEntry *found = find_name(name);
    if (!found)
        return stat_real(name, follow, result) ? 0 : -1;
    if (!found->file)
        return fail(ENOENT);
    *result = (struct stat){.st_blksize = 4096};
    if (found->file->storage >= 0)
        fstat(found->file->storage, result);
    else if (stat_real(".", true, result))
        result->st_size = 4096;
    file_fix_stat(found->file, result);
    return 0;
}

int files_enter(const char *name)
{
    char path[PATH_MAX];
    if (find_name(name))
        report_not_modelled("entering a directory that the program has made or removed");
    if (node_self())
        report_not_modelled("chdir in a node of a cluster");
    if (chdir(system_name(name, path)) != 0)
        return -1;
    fs.moved = true;
    return 0;
}

/* ---- Lifecycle ------------------------------------------------------------------------------------------ */

void files_init(void)
{
    if (!getcwd(fs.start, sizeof fs.start))
        strcpy(fs.start, "/");
    void *shared = mmap(NULL, sizeof fs.known[0] * KNOWN, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fs.known = shared == MAP_FAILED ? NULL : shared;
    fs.start_directory = open(fs.start, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void files_reset(void)
{
    while (fs.names) {
        NameEntry *next = fs.names->next;
        free(fs.names->name);
        free(fs.names);
        fs.names = next;
    }
    while (fs.files) {
        File *next = fs.files->next;
        if (fs.files->storage >= 0)
            close(fs.files->storage);
        free(fs.files->name);
        free(fs.files);
        fs.files = next;
    }
    if (fs.moved && fchdir(fs.start_directory) != 0)
        report_not_modelled("a start directory that cannot be entered again");
    fs.moved = false;
}
