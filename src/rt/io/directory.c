/* directory.c - see directory.h
 *
 * The list is the real one or, of a directory that the program has changed, one of ours, as it was at opendir or
 * rewinddir. Calls on one stream are not safe in several threads, as POSIX has it; that is a data race here.
 */
#include "rt/io/directory.h"

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/file/entries.h"
#include "rt/io/api_file.h"
#include "rt/file/files.h"
#include "rt/io/stream_memory.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/text.h"
#include "rt/memory/memory_check.h"
#include "rt/sync/hidden.h"

typedef struct Directory {
    struct Directory *next;
    DIR *real;
    StreamMemory memory;
    Block *entry;         /* what readdir returns; NULL before the first call */
    char *name;
    bool changed;         /* the list is one of ours:                         */
    FileEntries entries;
    uint32_t next_entry;
} Directory;

static Directory *directories; /* of this execution, closed ones too */

static Directory *find(const DIR *stream)
{
    Directory *directory = rt.self ? directories : NULL;
    while (directory && directory->real != stream)
        directory = directory->next;
    return directory;
}

static void use(const DIR *stream)
{
    const Directory *directory = find(stream);
    if (directory)
        stream_memory_use(&directory->memory, true, UNLOCKED);
}

static DIR *add(DIR *stream)
{
    if (!stream)
        return NULL;
    Directory *directory = mem_alloc(sizeof *directory);
    *directory = (Directory){.next = directories, .real = stream};
    stream_memory_open(&directory->memory);
    directories = directory;
    return stream;
}

void directory_reset(void)
{
    while (directories) {
        Directory *directory = directories;
        directories = directory->next;
        closedir(directory->real);
        file_entries_release(&directory->entries);
        free(directory->name);
        free(directory);
    }
}

static bool is_changed(const char *name) { return files_changed_below(name) || files_find(name); }

static void begin_list(Directory *directory, const char *name, bool changed)
{
    free(directory->name);
    directory->name = mem_copy_string(name);
    directory->changed = changed;
    directory->next_entry = 0;
    if (changed)
        file_entries_fill(&directory->entries, name);
}

/* ---- Calls ------------------------------------------------------------------------------- */

DIR *sennit_rt_opendir(const char *path)
{
    if (!rt.self)
        return opendir(path);
    char name[PATH_MAX];
    if (!file_list(path, name))
        return NULL;
    bool changed = is_changed(name);
    DIR *stream = add(opendir(changed ? "/" : path)); /* it stands for the list, if that is one of ours */
    if (stream)
        begin_list(directories, name, changed);
    return stream;
}

static const struct dirent *next_entry(Directory *directory)
{
    if (!directory->changed)
        return readdir(directory->real);
    uint32_t at = directory->next_entry;
    if (at >= directory->entries.count)
        return NULL;
    directory->next_entry++;
    return &directory->entries.items[at];
}

/* The real stream stays until the end of the execution, so that no other one gets its address. */
int sennit_rt_closedir(DIR *stream)
{
    Directory *directory = find(stream);
    if (!directory)
        return closedir(stream);
    use(stream);
    stream_memory_close(&directory->memory);
    if (directory->entry && !directory->entry->freed)
        memory_release(directory->entry);
    return 0;
}

/* The entry is the program's until the next call. */
struct dirent *sennit_rt_readdir(DIR *stream)
{
    Directory *directory = find(stream);
    if (!directory)
        return readdir(stream);
    use(stream);
    const struct dirent *found = next_entry(directory);
    if (!found)
        return NULL;
    if (!directory->entry)
        directory->entry = memory_allocate_kind(BLOCK_STREAM, sizeof *found, 16);
    struct dirent *entry = (struct dirent *)(uintptr_t)directory->entry->address;
    return sennit_rt_memcpy(entry, found, found->d_reclen);
}

/* The structures are the same where this tool runs. */
struct dirent64 *sennit_rt_readdir64(DIR *stream) { return (struct dirent64 *)sennit_rt_readdir(stream); }

int sennit_rt_readdir_r(DIR *stream, struct dirent *entry, struct dirent **result)
{
    Directory *directory = find(stream);
    if (!directory)
        report_not_modelled("readdir_r before main");
    use(stream);
    errno = 0;
    const struct dirent *found = next_entry(directory);
    if (!found && errno)
        return errno;
    if (found)
        sennit_rt_memcpy(entry, found, found->d_reclen);
    PLAIN_STORE(result, found ? entry : NULL);
    return 0;
}

int sennit_rt_readdir64_r(DIR *stream, struct dirent64 *entry, struct dirent64 **result)
{
    return sennit_rt_readdir_r(stream, (struct dirent *)entry, (struct dirent **)result);
}

void sennit_rt_rewinddir(DIR *stream)
{
    Directory *directory = find(stream);
    char name[PATH_MAX];
    use(stream);
    rewinddir(stream);
    if (directory && file_list(directory->name, name))
        begin_list(directory, name, is_changed(name));
}

long sennit_rt_telldir(DIR *stream)
{
    const Directory *directory = find(stream);
    use(stream);
    return directory && directory->changed ? (long)directory->next_entry : telldir(stream);
}

void sennit_rt_seekdir(DIR *stream, long position)
{
    Directory *directory = find(stream);
    use(stream);
    if (directory && directory->changed)
        directory->next_entry = (uint32_t)position;
    else
        seekdir(stream, position);
}

int sennit_rt_dirfd(DIR *stream)
{
    const Directory *directory = find(stream);
    use(stream);
    if (directory && directory->changed)
        report_not_modelled("dirfd of a directory in which the program has made or removed files");
    return dirfd(stream);
}

/* ---- Lists of files by other means ------------------------------------------------------------ */

/* The library reads the real file system, at any place. */
static void refuse_changes(const char *text)
{
    text_read(text);
    hidden_read(HIDDEN_DIRECTORIES);
    if (files_changed_below("/") || files_changed_below("."))
        report_not_modelled("listing files (glob, ftw) after the program has made or removed some");
}

int sennit_rt_glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *result)
{
    if (!rt.self)
        return glob(pattern, flags, failed, result);
    refuse_changes(pattern);
    plain_overwrite(result, sizeof *result);
    return glob(pattern, flags, failed, result);
}

int sennit_rt_ftw(const char *path, __ftw_func_t visit, int descriptors)
{
    if (rt.self)
        refuse_changes(path);
    return ftw(path, visit, descriptors);
}

int sennit_rt_nftw(const char *path, __nftw_func_t visit, int descriptors, int flags)
{
    if (rt.self)
        refuse_changes(path);
    return nftw(path, visit, descriptors, flags);
}

/* The structures are the same where this tool runs. */
int sennit_rt_scandir64(const char *path, struct dirent64 ***list, int (*selects)(const struct dirent64 *),
                        int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
    typedef int Selects(const struct dirent *);
    typedef int Compare(const struct dirent **, const struct dirent **);
    return sennit_rt_scandir(path, (struct dirent ***)list, (Selects *)(uintptr_t)selects,
                             (Compare *)(uintptr_t)compare);
}

int sennit_rt_glob64(const char *pattern, int flags, int (*failed)(const char *, int), glob64_t *result)
{
    return sennit_rt_glob(pattern, flags, failed, (glob_t *)(uintptr_t)result);
}

int sennit_rt_ftw64(const char *path, __ftw64_func_t visit, int descriptors)
{
    return sennit_rt_ftw(path, (__ftw_func_t)(uintptr_t)visit, descriptors);
}

int sennit_rt_nftw64(const char *path, __nftw64_func_t visit, int descriptors, int flags)
{
    return sennit_rt_nftw(path, (__nftw_func_t)(uintptr_t)visit, descriptors, flags);
}
