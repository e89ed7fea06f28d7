/* api_descriptor.c - file descriptors: of inputs (input_file.h), of pipes (pipe.h) or of the system */
#include <fcntl.h>
#include <unistd.h>

#include "rt/detect/bug.h"
#include "rt/io/input_file.h"
#include "rt/io/pipe.h"
#include "rt/io/real.h"
#include "rt/libc/api_libc.h"

int sennit_rt_open(const char *path, int flags, ...)
{
    InputFile *file = input_file_of_path(path);
    va_list args;
    va_start(args, flags);
    int mode = va_arg(args, int);
    va_end(args);
    if (!file)
        return open(path, flags, mode);
    if ((flags & O_ACCMODE) != O_RDONLY)
        report_not_modelled("writing to a file that is an input (--sym-file)");
    input_file_step(file);
    file->position = 0;
    return input_file_descriptor(file);
}

int sennit_rt_close(int descriptor)
{
    PipeEnd *end = pipe_find(descriptor);
    if (end)
        return pipe_close(end);
    return input_file_of_descriptor(descriptor) ? 0 : close(descriptor);
}

/* The scheduler would not know that the thread waits. */
static void refuse_waiting(int descriptor)
{
    struct pollfd file = {.fd = descriptor, .events = POLLIN};
    int before = errno;
    if (rt.self && poll(&file, 1, 0) == 0)
        report_not_modelled("a read that waits for input from outside");
    errno = before;
}

ssize_t sennit_rt_read(int descriptor, void *to, size_t size)
{
    PipeEnd *end = pipe_find(descriptor);
    if (end)
        return pipe_read(end, to, size);
    InputFile *file = input_file_of_descriptor(descriptor);
    if (!file) {
        refuse_waiting(descriptor);
        return real_read(descriptor, to, size);
    }
    input_file_step(file);
    return (ssize_t)input_file_read(file, to, size);
}

off_t sennit_rt_lseek(int descriptor, off_t offset, int whence)
{
    InputFile *file = input_file_of_descriptor(descriptor);
    return file ? (off_t)input_file_seek(file, offset, whence) : lseek(descriptor, offset, whence);
}
