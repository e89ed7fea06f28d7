/* files.c - see files.h
 *
 * The contents of a file are a memfd, opened again for each descriptor: so positions, flags, streams and copies are the
 * system's own. What is ours are the names. A real file that is only read is opened itself; should the program change
 * it later, its open descriptors move to the copy.
 */
#include "rt/file/files.h"

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
#include "rt/file/durable_files.h"
#include "rt/file/files_internal.h"
#include "rt/io/open_file.h"
#include "rt/kernel/node.h"
#include "rt/kernel/runtime.h"
#include "rt/libc/libc.h"

enum { KNOWN = 1 << 12, KNOWN_LENGTH = 64, SPARE = 64, LARGEST_COPY = 1 << 28, TIME_OF_FILES = 1000000000 };

static struct {
    File *files;
    NameList names;
    char start[PATH_MAX]; /* where the program was started */
    int start_directory;
    bool moved;           /* the program has changed its directory */
    char (*known)[KNOWN_LENGTH]; /* names by hash, for reports; of all processes */
} fs;

static struct {
    int storages[SPARE];
    unsigned count;
} spare;

static int fail(int error)
{
    errno = error;
    return -1;
}

/* ---- Names ---------------------------------------------------------------------------- */

uint64_t files_hash_text(const char *text)
{
    uint64_t hash = 14695981039346656037ull;
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211ull;
    return hash & 0xffffffffffffull;
}

/* As reports call it: of a node's file "s:data". */
static const char *full_name(const char *name, char text[PATH_MAX])
{
    if (!node_self() || snprintf(text, PATH_MAX, "%s:%s", node_get(node_self())->name, name) >= PATH_MAX)
        return name;
    return text;
}

uint64_t files_hash(const char *name)
{
    char text[PATH_MAX];
    const char *full = full_name(name, text);
    uint64_t hash = files_hash_text(full);
    if (fs.known && !*fs.known[hash % KNOWN])
        snprintf(fs.known[hash % KNOWN], KNOWN_LENGTH, "%.*s", KNOWN_LENGTH - 1, full);
    return hash;
}

const char *files_name_of_hash(uint64_t hash)
{
    const char *name = fs.known ? fs.known[hash % KNOWN] : "";
    return *name && files_hash_text(name) == hash ? name : NULL;
}

NameEntry *name_list_find(const NameList *list, const char *name)
{
    for (NameEntry *at = list->first; at; at = at->next)
        if (at->node == node_self() && strcmp(at->name, name) == 0)
            return at;
    return NULL;
}

void name_list_set(NameList *list, const char *name, File *file)
{
    NameEntry *entry = name_list_find(list, name);
    if (!entry) {
        entry = mem_alloc(sizeof *entry);
        *entry = (NameEntry){.next = list->first, .node = node_self(), .name = mem_copy_string(name)};
        list->first = entry;
    }
    entry->file = file;
}

void name_list_clear(NameList *list)
{
    while (list->first) {
        NameEntry *next = list->first->next;
        free(list->first->name);
        free(list->first);
        list->first = next;
    }
}

NameList *files_names(void) { return &fs.names; }

const char *files_start(void) { return fs.start; }
bool files_have_moved(void) { return fs.moved; }

static NameEntry *find_name(const char *name) { return name_list_find(&fs.names, name); }

File *files_find(const char *name)
{
    const NameEntry *found = find_name(name);
    return found ? found->file : NULL;
}

static void set_name(const char *name, File *file)
{
    name_list_set(&fs.names, name, file);
    if (!file)
        return;
    free(file->name);
    file->name = mem_copy_string(name);
}

bool files_is_below(const char *name, const char *directory)
{
    size_t length = strlen(directory);
    if (strcmp(directory, ".") == 0)
        return *name != '/';
    return strncmp(name, directory, length) == 0 && (name[length] == '/' || directory[length - 1] == '/');
}

bool files_changed_below(const char *directory)
{
    for (const NameEntry *at = fs.names.first; at; at = at->next)
        if (at->node == node_self() && files_is_below(at->name, directory))
            return true;
    return false;
}

/* ---- The real file system -------------------------------------------------------------------- */

/* Where the system looks for it: the program may have changed its directory. */
const char *files_system_name(const char *name, char path[PATH_MAX])
{
    if (*name == '/' || snprintf(path, PATH_MAX, "%s/%s", fs.start, name) >= PATH_MAX)
        return name;
    return path;
}

const char *files_parent(const char *name, char parent[PATH_MAX])
{
    const char *last = strrchr(name, '/');
    snprintf(parent, PATH_MAX, "%.*s", last ? last == name ? 1 : (int)(last - name) : 1, last ? name : ".");
    return parent;
}

static bool stat_real(const char *name, bool follow, struct stat *status)
{
    char path[PATH_MAX];
    name = files_system_name(name, path);
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
    if (!is_directory(files_parent(name, parent)))
        return fail(files_exists(parent) ? ENOTDIR : ENOENT) == 0;
    return find_name(parent) || access(files_system_name(parent, path), W_OK | X_OK) == 0;
}

/* ---- Contents --------------------------------------------------------------------------------- */

static File *make_file(int storage, mode_t mode)
{
    File *file = mem_alloc(sizeof *file);
    *file = (File){.next = fs.files, .node = node_self(), .storage = storage, .mode = mode};
    fs.files = file;
    return file;
}

/* Those of earlier executions, emptied, are used again. */
static int make_storage(void)
{
    int storage = spare.count ? spare.storages[--spare.count] : memfd_create("sennit", MFD_CLOEXEC);
    if (storage < 0)
        report_not_modelled("a file of the program without memory for it (memfd_create)");
    return storage;
}

static void free_storage(int storage)
{
    if (storage >= 0 && spare.count < SPARE && ftruncate(storage, 0) == 0)
        spare.storages[spare.count++] = storage;
    else if (storage >= 0)
        close(storage);
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
    const char *at = files_system_name(name, path);
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
    durable_files_keep(name, file);
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

static int open_existing(File *file, int flags)
{
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (file->storage < 0)
        return writes || flags & O_CREAT ? fail(EISDIR) : fail(EACCES);
    if (flags & O_DIRECTORY)
        return fail(ENOTDIR);
    file->writes_through |= (flags & O_DSYNC) != 0; /* a part of O_SYNC */
    return open_storage(file->storage, flags);
}

static int open_new(const char *name, int flags, mode_t mode)
{
    if (!parent_permits(name))
        return -1;
    File *file = make_file(make_storage(), mode & ~libc_umask() & 07777);
    int descriptor = open_existing(file, flags);
    fchmod(file->storage, file->mode);
    set_name(name, file);
    return descriptor;
}

static int open_real(const char *name, int flags, const struct stat *status)
{
    char path[PATH_MAX];
    bool changes = (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
    if (S_ISFIFO(status->st_mode))
        report_not_modelled("opening a FIFO");
    if (!S_ISREG(status->st_mode) || !changes || flags & O_PATH)
        return open(files_system_name(name, path), (flags & ~O_CREAT) | O_CLOEXEC);
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
    for (const NameEntry *at = fs.names.first; at; at = at->next)
        if (at->node == node_self() && at->file && files_is_below(at->name, name))
            return false;
    if (files_find(name))
        return true;
    DIR *directory = opendir(files_system_name(name, path));
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
        return access(files_system_name(name, path), how);
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
    if (chdir(files_system_name(name, path)) != 0)
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
    name_list_clear(&fs.names);
    durable_files_reset();
    while (fs.files) {
        File *next = fs.files->next;
        free_storage(fs.files->storage);
        free(fs.files->name);
        free(fs.files->synced);
        free(fs.files);
        fs.files = next;
    }
    if (fs.moved && fchdir(fs.start_directory) != 0)
        report_not_modelled("a start directory that cannot be entered again");
    fs.moved = false;
}
