/* api_descriptor.c - file descriptors: of inputs (input_file.h), of pipes (pipe.h) or of files (open_file.h) */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/detect/bug.h"
#include "rt/io/api_file.h"
#include "rt/io/descriptor.h"
#include "rt/io/input_file.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/io/real.h"
#include "rt/kernel/process.h"
#include "rt/libc/api_libc.h"

/* ---- Opening and closing --------------------------------------------------------------- */

static int open_any(int directory, const char *path, int flags, mode_t mode)
{
    if (!rt.self)
        return descriptor_keep(openat(directory, path, flags, mode));
    if (!input_file_of_path(path))
        return file_open(directory, path, flags, mode);
    if ((flags & O_ACCMODE) != O_RDONLY)
        report_not_modelled("writing to a file that is an input (--sym-file)");
    return input_file_descriptor(input_file_open(path));
}

#define OPEN(function, parameter, directory)                                 \
    int sennit_rt_##function(parameter const char *path, int flags, ...)     \
    {                                                                        \
        va_list args;                                                        \
        va_start(args, flags);                                               \
        mode_t mode = (mode_t)va_arg(args, int);                             \
        va_end(args);                                                        \
        return open_any(directory, path, flags, mode);                       \
    }
#define NO_PARAMETER
#define AT int at,
OPEN(open, NO_PARAMETER, AT_FDCWD)
OPEN(open64, NO_PARAMETER, AT_FDCWD)
OPEN(openat, AT, at)
OPEN(openat64, AT, at)

int sennit_rt_creat(const char *path, mode_t mode)
{
    return open_any(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int sennit_rt_creat64(const char *path, mode_t mode) { return sennit_rt_creat(path, mode); }

int sennit_rt_close(int descriptor)
{
    PipeEnd *end = pipe_find(descriptor);
    InputFile *input = input_file_of_descriptor(descriptor);
    OpenFile *open = open_file_find(descriptor);
    if (end)
        return pipe_close(end);
    if (input)
        return input_file_close(input, BY_DESCRIPTOR);
    return open ? open_file_close(open) : close(descriptor);
}

/* ---- Reading and writing --------------------------------------------------------------------- */

static void use(int descriptor, OpKind op, Mode position, Mode contents)
{
    OpenFile *open = open_file_find(descriptor);
    if (open)
        open_file_use(open, op, position, contents);
}

/* The scheduler would not know that the thread waits. */
static void refuse_waiting(int descriptor)
{
    struct pollfd file = {.fd = descriptor, .events = POLLIN};
    int before = errno;
    if (rt.self && descriptor >= 0 && poll(&file, 1, 0) == 0)
        report_not_modelled("a read that waits for input from outside");
    errno = before;
}

ssize_t sennit_rt_read(int descriptor, void *to, size_t size)
{
    PipeEnd *end = pipe_find_polled(descriptor);
    if (end)
        return pipe_read(end, to, size);
    InputFile *file = input_file_of_descriptor(descriptor);
    if (!file) {
        use(descriptor, OP_FILE_READ, MODE_WRITE, MODE_READ);
        refuse_waiting(descriptor);
        return real_read(descriptor, to, size);
    }
    input_file_step(file, MODE_WRITE, BY_DESCRIPTOR);
    if (file->closed) {
        errno = EBADF;
        return -1;
    }
    return (ssize_t)input_file_read(file, to, size);
}

ssize_t sennit_rt_pread(int descriptor, void *to, size_t size, off_t offset)
{
    if (input_file_of_descriptor(descriptor))
        report_not_modelled("pread of a file that is an input (--sym-file)");
    use(descriptor, OP_FILE_READ, MODE_READ, MODE_READ);
    return real_pread(descriptor, to, size, offset);
}

ssize_t sennit_rt_pread64(int descriptor, void *to, size_t size, off64_t offset)
{
    return sennit_rt_pread(descriptor, to, size, offset);
}

ssize_t sennit_rt_pwrite(int descriptor, const void *from, size_t size, off_t offset)
{
    plain_read(address_of(from), size);
    use(descriptor, OP_FILE_WRITE, MODE_READ, MODE_WRITE);
    return pwrite(descriptor, from, size, offset);
}

ssize_t sennit_rt_pwrite64(int descriptor, const void *from, size_t size, off64_t offset)
{
    return sennit_rt_pwrite(descriptor, from, size, offset);
}

int sennit_rt_ftruncate(int descriptor, off_t size)
{
    use(descriptor, OP_FILE_WRITE, MODE_READ, MODE_WRITE);
    return ftruncate(descriptor, size);
}

int sennit_rt_ftruncate64(int descriptor, off64_t size) { return sennit_rt_ftruncate(descriptor, size); }

off_t sennit_rt_lseek(int descriptor, off_t offset, int whence)
{
    InputFile *file = input_file_of_descriptor(descriptor);
    if (file)
        return (off_t)input_file_seek(file, offset, whence, BY_DESCRIPTOR);
    if (rt.self && (descriptor == 1 || descriptor == 2)) {
        errno = ESPIPE; /* as if it were a pipe: what is written there is dropped */
        return -1;
    }
    use(descriptor, OP_FILE_SEEK, whence == SEEK_CUR && !offset ? MODE_READ : MODE_WRITE,
        whence == SEEK_CUR || whence == SEEK_SET ? MODE_NONE : MODE_READ);
    return lseek(descriptor, offset, whence);
}

off64_t sennit_rt_lseek64(int descriptor, off64_t offset, int whence)
{
    return sennit_rt_lseek(descriptor, offset, whence);
}

/* ---- Locks of fcntl: of the process, whose threads never wait for each other ------------------ */

static int fail_lock(int error)
{
    errno = error;
    return -1;
}

/* Where the range begins; negative: nowhere. */
static off_t start_of(int descriptor, const struct flock *lock)
{
    struct stat status;
    off_t base = 0;
    if (lock->l_whence == SEEK_CUR)
        base = lseek(descriptor, 0, SEEK_CUR);
    else if (lock->l_whence == SEEK_END)
        base = fstat(descriptor, &status) ? 0 : status.st_size;
    return base + lock->l_start;
}

static bool is_allowed(int descriptor, short type)
{
    int mode = fcntl(descriptor, F_GETFL) & O_ACCMODE;
    return type == F_UNLCK || mode == O_RDWR || mode == (type == F_RDLCK ? O_RDONLY : O_WRONLY);
}

int file_lock_control(int descriptor, int command, struct flock *lock)
{
    if (process_is_possible())
        report_not_modelled("fcntl with a lock in a program that forks");
    if (fcntl(descriptor, F_GETFD) < 0)
        return -1;
    plain_use(lock, sizeof *lock);
    bool known = lock->l_whence == SEEK_SET || lock->l_whence == SEEK_CUR || lock->l_whence == SEEK_END;
    if (lock->l_type != F_RDLCK && lock->l_type != F_WRLCK && (lock->l_type != F_UNLCK || command == F_GETLK))
        return fail_lock(EINVAL);
    if (!known)
        return fail_lock(EINVAL);
    off_t start = start_of(descriptor, lock), end = start + lock->l_len;
    if (start < 0 || end < 0)
        return fail_lock(EINVAL);
    if (command == F_GETLK) {
        struct flock answer = *lock;
        answer.l_type = F_UNLCK;
        PLAIN_STORE(lock, answer);
        return 0;
    }
    return is_allowed(descriptor, lock->l_type) ? 0 : fail_lock(EBADF);
}
