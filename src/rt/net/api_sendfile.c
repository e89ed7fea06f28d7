/* api_sendfile.c - bytes of a file to another descriptor, without the program's memory */
#include <errno.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "rt/detect/bug.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api_libc.h"

enum { MOST_AT_ONCE = 65536 };

/* What is sent comes from the runtime's memory; the file is read in a step of its own. */
static ssize_t send_part(int to, int from, off_t at, size_t size)
{
    char *bytes = transient_alloc(size + 1);
    ssize_t count = pread(from, bytes, size, at);
    return count > 0 ? sennit_rt_write(to, bytes, (size_t)count) : count;
}

static ssize_t send_all(int to, int from, off_t at, size_t size)
{
    size_t sent = 0;
    while (sent < size) {
        size_t part = size - sent < MOST_AT_ONCE ? size - sent : MOST_AT_ONCE;
        ssize_t count = send_part(to, from, at + (off_t)sent, part);
        if (count < 0)
            return sent ? (ssize_t)sent : -1;
        sent += (size_t)count;
        if ((size_t)count < part)
            break;
    }
    return (ssize_t)sent;
}

ssize_t sennit_rt_sendfile(int to, int from, off_t *offset, size_t size)
{
    if (!rt.self)
        return sendfile(to, from, offset, size);
    OpenFile *open = open_file_find(from);
    if (!open || pipe_find(from))
        report_not_modelled("sendfile from a descriptor that is no open file");
    open_file_use(open, OP_FILE_READ, offset ? MODE_READ : MODE_WRITE, MODE_READ);
    if (offset)
        plain_use(offset, sizeof *offset);
    off_t at = offset ? *offset : lseek(from, 0, SEEK_CUR);
    if (at < 0) {
        errno = offset ? EINVAL : errno;
        return -1;
    }
    ssize_t sent = send_all(to, from, at, size);
    if (sent > 0 && offset)
        PLAIN_STORE(offset, at + sent);
    else if (sent > 0)
        lseek(from, at + sent, SEEK_SET);
    return sent;
}

ssize_t sennit_rt_sendfile64(int to, int from, off64_t *offset, size_t size)
{
    return sennit_rt_sendfile(to, from, offset, size);
}
