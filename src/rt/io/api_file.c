/* api_file.c - calls on names of files (files.h), as steps
 *
 * A name is a resource whose value says whether it exists. So making a file that must not exist is like trylock, and
 * removing it like unlock. Entries of a directory are another: calls that change different names commute with each
 * other, but not with a call that lists them.
 */
#include "rt/io/api_file.h"

#include <dirent.h>

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/io/crash_point.h"
#include "rt/io/descriptor.h"
#include "rt/file/file_point.h"
#include "rt/io/input_file.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/io/random.h"
#include "rt/kernel/step.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/text.h"
#include "rt/sync/hidden.h"

static int fail(int error)
{
    errno = error;
    return -1;
}

/* ---- Steps -------------------------------------------------------------------------------- */

/* What a call does to a name. */
typedef enum NameEffect {
    LOOKS,
    MAKES,     /* writes it if it does not exist */
    REMOVES,   /* writes it if it exists         */
    REPLACES   /* writes it                      */
} NameEffect;

static uint64_t name_resource(const char *name) { return resource_make(RES_NAME, files_hash(name)); }
static uint64_t contents_resource(const char *name) { return resource_make(RES_FILE, files_hash(name)); }

static uint64_t entries_resource(const char *name)
{
    char parent[PATH_MAX];
    return contents_resource(files_parent(name, parent));
}

static void begin_name(OpKind op, const char *name, NameEffect effect, Mode directories)
{
    Access *access = step_begin(op, name_resource(name));
    if (effect == LOOKS)
        access->mode = MODE_READ;
    else if (effect != REPLACES)
        step_switch(access, effect == MAKES ? REL_EQ : REL_NE, 0, MODE_WRITE, MODE_READ);
    access->mask = FILE_VALUE_MASK;
    step_touch(hidden_resource(HIDDEN_DIRECTORIES), directories);
    if (effect != LOOKS)
        step_touch(entries_resource(name), MODE_ACCUMULATE);
    if (effect == MAKES)
        step_touch(hidden_resource(HIDDEN_UMASK), MODE_READ);
}

/* The nth access is the name's; it existed before the call, or not. */
static void end_name(unsigned nth, const char *name, NameEffect effect, bool existed)
{
    bool writes = effect == REPLACES || (effect == MAKES && !existed) || (effect == REMOVES && existed);
    file_point_use(nth, name_resource(name), writes ? MODE_WRITE : MODE_READ, existed, files_exists(name));
}

/* A step that looks at a name and, if asked to, at the contents. */
static void look(const char *name, bool contents)
{
    if (!hidden_is_shared())
        return;
    begin_name(OP_FILE_LOOK, name, LOOKS, MODE_READ);
    if (contents)
        step_touch(contents_resource(name), MODE_READ);
    step_wait();
    end_name(0, name, LOOKS, files_exists(name));
    if (contents)
        file_point_use(2, contents_resource(name), MODE_READ, 0, 0);
    step_done();
}

typedef int Call(const char *name, mode_t mode);

/* A step around a call that changes one name, and perhaps directories. */
static int change(OpKind op, const char *name, NameEffect effect, Mode directories, Call *call, mode_t mode)
{
    crash_point();
    if (!hidden_is_shared()) {
        sennit_rt_noise = 1; /* no step shows it */
        return call(name, mode);
    }
    begin_name(op, name, effect, directories);
    step_wait();
    bool existed = files_exists(name);
    int result = call(name, mode);
    end_name(0, name, effect, existed);
    step_done();
    return result;
}

static bool resolve(int directory, const char *path, bool follow, char name[PATH_MAX])
{
    text_read(path);
    return files_resolve(directory, path, follow, name);
}

/* ---- Opening ------------------------------------------------------------------------------------ */

static int open_in_step(const char *name, int flags, mode_t mode)
{
    NameEffect effect = flags & O_CREAT ? MAKES : LOOKS;
    if (flags & (O_CREAT | O_TRUNC))
        crash_point();
    if (!hidden_is_shared()) {
        sennit_rt_noise = 1; /* no step shows it */
        return files_open(name, flags, mode);
    }
    begin_name(OP_FILE_OPEN, name, effect, MODE_READ);
    unsigned next = effect == MAKES ? 4 : 2;
    uint64_t number = resource_make(RES_DESCRIPTOR, (uint64_t)descriptor_new());
    step_touch(number, MODE_WRITE);
    if (flags & O_TRUNC)
        step_touch(contents_resource(name), MODE_WRITE);
    step_wait();
    bool existed = files_exists(name);
    int descriptor = files_open(name, flags, mode);
    end_name(0, name, effect, existed);
    if (descriptor >= 0)
        file_point_use(next, number, MODE_WRITE, 0, 0);
    if (flags & O_TRUNC)
        file_point_use(next + 1, contents_resource(name), MODE_WRITE, 0, 0);
    step_done();
    return descriptor;
}

int file_open(int directory, const char *path, int flags, mode_t mode)
{
    char name[PATH_MAX];
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (!resolve(directory, path, !(flags & O_NOFOLLOW), name))
        return -1;
    if (random_is_device(name) && !writes)
        return open_file_add(random_open_device(name, flags), NULL, flags);
    if (files_is_special(name))
        return open_file_add(openat(directory, path, flags, mode), NULL, flags);
    return open_file_add(open_in_step(name, flags, mode), name, flags);
}

/* Six letters of a thread's own that no file has. */
static int make_temporary(char *template, size_t suffix, int (*call)(const char *name, int flags), int flags)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    size_t length = text_read(template);
    char path[PATH_MAX], name[PATH_MAX];
    if (length < suffix + 6 || length >= sizeof path || strncmp(template + length - suffix - 6, "XXXXXX", 6) != 0)
        return fail(EINVAL);
    strcpy(path, template);
    for (uint64_t n = 0;; n++) {
        uint64_t number = (n << 12) + rt.self->strand;
        for (size_t i = 0; i < 6; i++, number /= 26)
            path[length - suffix - 1 - i] = letters[number % 26];
        if (!files_resolve(AT_FDCWD, path, false, name))
            return -1;
        if (!files_exists(name))
            break;
    }
    int result = call(path, flags);
    if (result >= 0) {
        plain_write(address_of(template), length);
        memcpy(template, path, length);
    }
    return result;
}

static int open_temporary(const char *path, int flags)
{
    return file_open(AT_FDCWD, path, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
}

static int make_directory(const char *path, int mode) { return sennit_rt_mkdir(path, (mode_t)mode); }

int sennit_rt_mkstemps(char *template, int suffix)
{
    if (!rt.self)
        return mkstemps(template, suffix);
    return make_temporary(template, suffix < 0 ? 0 : (size_t)suffix, open_temporary, 0);
}

int sennit_rt_mkostemp(char *template, int flags)
{
    return rt.self ? make_temporary(template, 0, open_temporary, flags) : mkostemp(template, flags);
}

int sennit_rt_mkstemp(char *template) { return sennit_rt_mkostemp(template, 0); }
int sennit_rt_mkstemp64(char *template) { return sennit_rt_mkostemp(template, 0); }

char *sennit_rt_mkdtemp(char *template)
{
    if (!rt.self)
        return mkdtemp(template);
    return make_temporary(template, 0, make_directory, 0700) == 0 ? template : NULL;
}

/* ---- Removing and making ------------------------------------------------------------------------------ */

static int unlink_name(const char *name, mode_t unused)
{
    (void)unused;
    return files_unlink(name);
}

static int remove_directory(const char *name, mode_t unused)
{
    (void)unused;
    return files_remove_directory(name);
}

static int remove_any(const char *name, mode_t unused)
{
    struct stat status;
    bool directory = files_stat(name, false, &status) == 0 && S_ISDIR(status.st_mode);
    (void)unused;
    return directory ? files_remove_directory(name) : files_unlink(name);
}

int sennit_rt_unlinkat(int directory, const char *path, int flags)
{
    char name[PATH_MAX];
    if (!rt.self)
        return unlinkat(directory, path, flags);
    if (!resolve(directory, path, false, name))
        return -1;
    if (flags & AT_REMOVEDIR)
        return change(OP_FILE_REMOVE, name, REPLACES, MODE_WRITE, remove_directory, 0);
    return change(OP_FILE_REMOVE, name, REMOVES, MODE_READ, unlink_name, 0);
}

int sennit_rt_unlink(const char *path) { return sennit_rt_unlinkat(AT_FDCWD, path, 0); }
int sennit_rt_rmdir(const char *path) { return sennit_rt_unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int sennit_rt_remove(const char *path)
{
    char name[PATH_MAX];
    if (!rt.self)
        return remove(path);
    if (!resolve(AT_FDCWD, path, false, name))
        return -1;
    return change(OP_FILE_REMOVE, name, REMOVES, MODE_WRITE, remove_any, 0);
}

int sennit_rt_mkdirat(int directory, const char *path, mode_t mode)
{
    char name[PATH_MAX];
    if (!rt.self)
        return mkdirat(directory, path, mode);
    if (!resolve(directory, path, false, name))
        return -1;
    return change(OP_FILE_MAKE, name, MAKES, MODE_WRITE, files_make_directory, mode);
}

int sennit_rt_mkdir(const char *path, mode_t mode) { return sennit_rt_mkdirat(AT_FDCWD, path, mode); }

int sennit_rt_renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    char old[PATH_MAX], new[PATH_MAX];
    if (!rt.self)
        return renameat(from_directory, from, to_directory, to);
    if (!resolve(from_directory, from, false, old) || !resolve(to_directory, to, false, new))
        return -1;
    crash_point();
    if (!hidden_is_shared() || strcmp(old, new) == 0)
        return files_rename(old, new);
    begin_name(OP_FILE_RENAME, old, REPLACES, MODE_READ);
    step_touch(name_resource(new), MODE_WRITE);
    step_touch(contents_resource(old), MODE_WRITE);
    step_touch(contents_resource(new), MODE_WRITE);
    if (entries_resource(new) != entries_resource(old))
        step_touch(entries_resource(new), MODE_ACCUMULATE);
    step_wait();
    bool old_existed = files_exists(old), new_existed = files_exists(new);
    int result = files_rename(old, new);
    end_name(0, old, REPLACES, old_existed);
    end_name(3, new, REPLACES, new_existed);
    file_point_use(4, contents_resource(old), MODE_WRITE, 0, 0);
    file_point_use(5, contents_resource(new), MODE_WRITE, 0, 0);
    step_done();
    return result;
}

int sennit_rt_rename(const char *from, const char *to) { return sennit_rt_renameat(AT_FDCWD, from, AT_FDCWD, to); }

/* ---- Looking ---------------------------------------------------------------------------------------------- */

static int store_status(struct stat *to, const struct stat *status)
{
    plain_write(address_of(to), sizeof *to);
    *to = *status;
    shadow_memory_overwritten(to, sizeof *to);
    return 0;
}

static void describe_input(const InputFile *file, struct stat *status)
{
    *status = (struct stat){.st_mode = S_IFREG | 0444, .st_nlink = 1, .st_size = (off_t)file->size, .st_blksize = 4096};
}

/* -1 if it is closed. */
static int describe_pipe(PipeEnd *end, struct stat *status)
{
    bool is_socket = end->net || (end->in && end->out);
    *status = (struct stat){.st_mode = is_socket ? S_IFSOCK | 0777 : end->in || end->out ? S_IFIFO | 0600 : 0600,
                            .st_nlink = 1,
                            .st_blksize = 4096};
    return end->epoll || pipe_get_no_wait(end) >= 0 ? 0 : -1;
}

int sennit_rt_fstat(int descriptor, struct stat *result)
{
    struct stat status;
    PipeEnd *end = pipe_find(descriptor);
    const InputFile *input = input_file_of_descriptor(descriptor);
    OpenFile *open = open_file_find(descriptor);
    if (open && descriptor > 2)
        open_file_use(open, OP_FILE_LOOK, MODE_READ, MODE_READ);
    if (end && describe_pipe(end, &status) != 0)
        return -1;
    if (input)
        describe_input(input, &status);
    else if (!end && fstat(descriptor, &status) != 0)
        return -1;
    if (open && open_file_file(open))
        file_fix_stat(open_file_file(open), &status);
    return rt.self ? store_status(result, &status) : (*result = status, 0);
}

int sennit_rt_fstatat(int directory, const char *path, struct stat *result, int flags)
{
    char name[PATH_MAX];
    struct stat status;
    if (!rt.self)
        return fstatat(directory, path, result, flags);
    if (flags & AT_EMPTY_PATH && !*path)
        return sennit_rt_fstat(directory, result);
    const InputFile *input = input_file_of_path(path);
    bool follow = !(flags & AT_SYMLINK_NOFOLLOW);
    if (!input && !resolve(directory, path, follow, name))
        return -1;
    if (input)
        describe_input(input, &status);
    else
        look(name, true);
    if (!input && files_stat(name, follow, &status) != 0)
        return -1;
    return store_status(result, &status);
}

int sennit_rt_stat(const char *path, struct stat *result) { return sennit_rt_fstatat(AT_FDCWD, path, result, 0); }

int sennit_rt_lstat(const char *path, struct stat *result)
{
    return sennit_rt_fstatat(AT_FDCWD, path, result, AT_SYMLINK_NOFOLLOW);
}

/* The structures are the same where this tool runs. */
int sennit_rt_fstat64(int descriptor, struct stat64 *result)
{
    return sennit_rt_fstat(descriptor, (struct stat *)result);
}

int sennit_rt_stat64(const char *path, struct stat64 *result) { return sennit_rt_stat(path, (struct stat *)result); }
int sennit_rt_lstat64(const char *path, struct stat64 *result) { return sennit_rt_lstat(path, (struct stat *)result); }
int sennit_rt_fstatat64(int directory, const char *path, struct stat64 *result, int flags)
{
    return sennit_rt_fstatat(directory, path, (struct stat *)result, flags);
}

int sennit_rt_faccessat(int directory, const char *path, int how, int flags)
{
    char name[PATH_MAX];
    if (!rt.self)
        return faccessat(directory, path, how, flags);
    if (input_file_of_path(path))
        return how & (W_OK | X_OK) ? fail(EACCES) : 0;
    if (!resolve(directory, path, true, name))
        return -1;
    look(name, false);
    return files_access(name, how);
}

int sennit_rt_access(const char *path, int how) { return sennit_rt_faccessat(AT_FDCWD, path, how, 0); }

/* ---- Attributes and directories ------------------------------------------------------------------------------ */

/* `open`: by which the file is named, or NULL. */
static int set_mode(const OpenFile *open, const char *name, mode_t mode)
{
    if (!open)
        return files_set_mode(name, mode);
    if (open_file_is_closed(open))
        return fail(EBADF);
    if (open_file_file(open))
        return file_set_mode(open_file_file(open), mode);
    if (!files_exists(name))
        report_not_modelled("fchmod of a file that was removed");
    return files_set_mode(name, mode);
}

/* Descriptors show the mode, too. */
static int change_mode(const OpenFile *open, const char *name, mode_t mode)
{
    if (!hidden_is_shared()) {
        sennit_rt_noise = 1; /* no step shows it */
        return set_mode(open, name, mode);
    }
    begin_name(OP_FILE_MODE, name, REPLACES, MODE_READ);
    step_touch(contents_resource(name), MODE_WRITE);
    if (open)
        step_touch(open_file_resource(open), MODE_READ);
    step_wait();
    if (open && strcmp(name, open_file_path(open)) != 0)
        report_not_modelled("fchmod of a file that is renamed at the same time");
    bool existed = files_exists(name);
    int result = set_mode(open, name, mode);
    end_name(0, name, REPLACES, existed);
    file_point_use(3, contents_resource(name), MODE_WRITE, 0, 0);
    if (open)
        file_point_use(4, open_file_resource(open), MODE_READ, 0, 0);
    step_done();
    return result;
}

int sennit_rt_fchmodat(int directory, const char *path, mode_t mode, int flags)
{
    char name[PATH_MAX];
    if (!rt.self)
        return fchmodat(directory, path, mode, flags);
    if (flags)
        report_not_modelled("fchmodat with flags");
    if (!resolve(directory, path, true, name))
        return -1;
    return change_mode(NULL, name, mode);
}

int sennit_rt_chmod(const char *path, mode_t mode) { return sennit_rt_fchmodat(AT_FDCWD, path, mode, 0); }

int sennit_rt_fchmod(int descriptor, mode_t mode)
{
    char name[PATH_MAX];
    const OpenFile *open = open_file_find(descriptor);
    if (!open)
        return fchmod(descriptor, mode);
    if (!open_file_path(open))
        report_not_modelled("fchmod of a file without a name");
    strcpy(name, open_file_path(open));
    return change_mode(open, name, mode);
}

int sennit_rt_truncate(const char *path, off_t size)
{
    if (!rt.self)
        return truncate(path, size);
    int descriptor = file_open(AT_FDCWD, path, O_WRONLY, 0);
    if (descriptor < 0)
        return -1;
    open_file_use(open_file_find(descriptor), OP_FILE_WRITE, MODE_READ, MODE_WRITE);
    int result = ftruncate(descriptor, size);
    open_file_close(open_file_find(descriptor));
    return result;
}

int sennit_rt_truncate64(const char *path, off64_t size) { return sennit_rt_truncate(path, size); }

/* What relative names mean may not change while others use them. */
static void enter_alone(const char *what)
{
    if (hidden_is_shared())
        report_not_modelled(what);
}

int sennit_rt_chdir(const char *path)
{
    char name[PATH_MAX];
    if (!rt.self)
        return chdir(path);
    enter_alone("chdir while there are several threads");
    return resolve(AT_FDCWD, path, true, name) ? files_enter(name) : -1;
}

int sennit_rt_fchdir(int descriptor)
{
    char name[PATH_MAX];
    if (!rt.self)
        return fchdir(descriptor);
    enter_alone("fchdir while there are several threads");
    return files_resolve(descriptor, ".", true, name) ? files_enter(name) : -1;
}

bool file_list(const char *path, char name[PATH_MAX])
{
    struct stat status;
    if (!resolve(AT_FDCWD, path, true, name))
        return false;
    look(name, true);
    if (files_stat(name, true, &status) != 0)
        return false;
    return S_ISDIR(status.st_mode) || fail(ENOTDIR) == 0;
}

/* ---- Less common names for the same -------------------------------------------------------------------- */

int sennit_rt_renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned flags)
{
    if (rt.self && flags)
        report_not_modelled("renameat2 with flags");
    return rt.self ? sennit_rt_renameat(from_directory, from, to_directory, to)
                   : renameat2(from_directory, from, to_directory, to, flags);
}

int sennit_rt_euidaccess(const char *path, int how) { return sennit_rt_faccessat(AT_FDCWD, path, how, AT_EACCESS); }
int sennit_rt_eaccess(const char *path, int how) { return sennit_rt_euidaccess(path, how); }

int sennit_rt_mkostemps(char *template, int suffix, int flags)
{
    if (!rt.self)
        return mkostemps(template, suffix, flags);
    return make_temporary(template, suffix < 0 ? 0 : (size_t)suffix, open_temporary, flags);
}

int sennit_rt_mkstemps64(char *template, int suffix) { return sennit_rt_mkostemps(template, suffix, 0); }
int sennit_rt_mkostemp64(char *template, int flags) { return sennit_rt_mkostemps(template, 0, flags); }
int sennit_rt_mkostemps64(char *template, int suffix, int flags)
{
    return sennit_rt_mkostemps(template, suffix, flags);
}

/* The program makes no links: those that there are lead to the real file system. */
ssize_t sennit_rt_readlinkat(int directory, const char *path, char *to, size_t size)
{
    char name[PATH_MAX], target[PATH_MAX];
    if (!rt.self)
        return readlinkat(directory, path, to, size);
    if (!resolve(directory, path, false, name))
        return -1;
    look(name, false);
    if (!files_exists(name))
        return fail(ENOENT);
    ssize_t length = files_find(name) ? fail(EINVAL) : readlink(name, target, sizeof target);
    if (length > 0)
        sennit_rt_memcpy(to, target, (size_t)length < size ? (size_t)length : size);
    return length < (ssize_t)size ? length : (ssize_t)size;
}

ssize_t sennit_rt_readlink(const char *path, char *to, size_t size)
{
    return sennit_rt_readlinkat(AT_FDCWD, path, to, size);
}

/* ---- What is not modelled ---------------------------------------------------------------- */

#define REFUSE(what, call)             \
    do {                               \
        if (rt.self)                   \
            report_not_modelled(what); \
        return call;                   \
    } while (0)

int sennit_rt_link(const char *from, const char *to) { REFUSE("link", link(from, to)); }
int sennit_rt_symlink(const char *from, const char *to) { REFUSE("symlink", symlink(from, to)); }

int sennit_rt_linkat(int from_directory, const char *from, int to_directory, const char *to, int flags)
{
    REFUSE("linkat", linkat(from_directory, from, to_directory, to, flags));
}

int sennit_rt_symlinkat(const char *from, int directory, const char *to)
{
    REFUSE("symlinkat", symlinkat(from, directory, to));
}
