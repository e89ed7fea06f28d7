/* api_sync.c - calls after which what was written survives a crash (durable_files.h) */
#include <errno.h>
#include <unistd.h>

#include "rt/io/crash_point.h"
#include "rt/file/durable_files.h"
#include "rt/io/open_file.h"
#include "rt/libc/api_libc.h"

int sennit_rt_fsync(int descriptor)
{
    OpenFile *open = open_file_find(descriptor);
    if (!open)
        return fsync(descriptor);
    crash_point();
    open_file_use(open, OP_FILE_LOOK, MODE_READ, MODE_NONE);
    if (open_file_file(open)) {
        durable_files_sync(open_file_file(open));
        return 0; /* it is in memory */
    }
    if (open_file_path(open))
        durable_files_sync_directory(open_file_path(open));
    return fsync(descriptor);
}

int sennit_rt_fdatasync(int descriptor) { return sennit_rt_fsync(descriptor); }

void sennit_rt_sync(void)
{
    if (!rt.self) {
        sync();
        return;
    }
    crash_point();
    durable_files_sync_all();
}
