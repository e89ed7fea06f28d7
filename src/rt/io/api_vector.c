/* api_vector.c - reading into and writing from several places at once */
#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/inputs/concretise.h"
#include "rt/io/input_file.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/libc/api_libc.h"
#include "rt/net/socket.h"

enum { AT_POSITION = -1 }; /* in place of an offset */

static void refuse_pipe(int descriptor, const char *what)
{
    if (pipe_find(descriptor))
        report_not_modelled(what);
}

static void use(int descriptor, OpKind op, off_t offset, Mode contents)
{
    OpenFile *open = open_file_find(descriptor);
    if (open && (descriptor == 0 || descriptor > 2))
        open_file_use(open, op, offset == AT_POSITION ? MODE_WRITE : MODE_READ, contents);
}

/* Copies to the parts what was read, as a write of the program. */
static void scatter(const struct iovec *parts, int count, const uint8_t *bytes, size_t size)
{
    for (int i = 0; i < count && size; i++) {
        size_t some = parts[i].iov_len < size ? parts[i].iov_len : size;
        if (some)
            sennit_rt_memcpy(parts[i].iov_base, bytes, some);
        bytes += some;
        size -= some;
    }
}

static size_t total_size(const struct iovec *parts, int count)
{
    size_t size = 0;
    for (int i = 0; i < count; i++)
        size += parts[i].iov_len;
    return size;
}

static ssize_t read_input(InputFile *file, const struct iovec *parts, int count)
{
    size_t size = 0;
    input_file_step(file, MODE_WRITE, BY_DESCRIPTOR);
    for (int i = 0; i < count; i++) {
        size_t some = input_file_read(file, parts[i].iov_base, parts[i].iov_len);
        size += some;
        if (some < parts[i].iov_len)
            break;
    }
    return (ssize_t)size;
}

static ssize_t read_parts(int descriptor, const struct iovec *parts, int count, off_t offset)
{
    InputFile *input = input_file_of_descriptor(descriptor);
    PipeEnd *end = pipe_find_polled(descriptor);
    if (count <= 0 || count > IOV_MAX) {
        errno = EINVAL;
        return count ? -1 : 0;
    }
    plain_read(address_of(parts), (size_t)count * sizeof *parts);
    if (end && offset == AT_POSITION && end->net)
        return socket_read_file(end->net, &(Places){parts, count});
    refuse_pipe(descriptor, "readv on a pipe");
    if (input && offset != AT_POSITION)
        report_not_modelled("preadv of a file that is an input (--sym-file)");
    if (input)
        return read_input(input, parts, count);
    size_t size = total_size(parts, count);
    uint8_t *room = mem_alloc(size + 1);
    use(descriptor, OP_FILE_READ, offset, MODE_READ);
    ssize_t done = offset == AT_POSITION ? read(descriptor, room, size) : pread(descriptor, room, size, offset);
    if (done > 0)
        scatter(parts, count, room, (size_t)done);
    free(room);
    return done;
}

static ssize_t write_parts(int descriptor, const struct iovec *parts, int count, off_t offset)
{
    bool dropped = !rt.options.show_output && (descriptor == 1 || descriptor == 2);
    PipeEnd *end = pipe_find_polled(descriptor);
    if (count <= 0 || count > IOV_MAX) {
        errno = EINVAL;
        return count ? -1 : 0;
    }
    plain_read(address_of(parts), (size_t)count * sizeof *parts);
    if (end && offset == AT_POSITION && end->net)
        return socket_write(end->net, &(Places){parts, count}, 0);
    refuse_pipe(descriptor, "writev on a pipe");
    for (int i = 0; i < count; i++) {
        plain_read(address_of(parts[i].iov_base), parts[i].iov_len);
        if (tracking.on && !dropped)
            concretise_memory(address_of(parts[i].iov_base), parts[i].iov_len, "a file");
    }
    use(descriptor, OP_FILE_WRITE, offset, MODE_WRITE);
    if (dropped)
        return (ssize_t)total_size(parts, count);
    return offset == AT_POSITION ? writev(descriptor, parts, count) : pwritev(descriptor, parts, count, offset);
}

ssize_t sennit_rt_readv(int descriptor, const struct iovec *parts, int count)
{
    return rt.self ? read_parts(descriptor, parts, count, AT_POSITION) : readv(descriptor, parts, count);
}

ssize_t sennit_rt_writev(int descriptor, const struct iovec *parts, int count)
{
    return rt.self ? write_parts(descriptor, parts, count, AT_POSITION) : writev(descriptor, parts, count);
}

static bool is_offset(off_t offset)
{
    if (offset < 0)
        errno = EINVAL;
    return offset >= 0;
}

ssize_t sennit_rt_preadv(int descriptor, const struct iovec *parts, int count, off_t offset)
{
    if (!rt.self)
        return preadv(descriptor, parts, count, offset);
    return is_offset(offset) ? read_parts(descriptor, parts, count, offset) : -1;
}

ssize_t sennit_rt_pwritev(int descriptor, const struct iovec *parts, int count, off_t offset)
{
    if (!rt.self)
        return pwritev(descriptor, parts, count, offset);
    return is_offset(offset) ? write_parts(descriptor, parts, count, offset) : -1;
}

ssize_t sennit_rt_preadv64(int descriptor, const struct iovec *parts, int count, off64_t offset)
{
    return sennit_rt_preadv(descriptor, parts, count, offset);
}

ssize_t sennit_rt_pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset)
{
    return sennit_rt_pwritev(descriptor, parts, count, offset);
}
