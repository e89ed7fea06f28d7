/* keep.c - see keep.h */
#include "app/search/keep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/run/wholetrace.h"
#include "base/file.h"

static void remove_traces(const char *directory)
{
    DIR *listing = opendir(directory);
    struct dirent *entry;
    while (listing && (entry = readdir(listing)))
        if (strstr(entry->d_name, ".trace"))
            unlinkat(dirfd(listing), entry->d_name, 0);
    if (listing)
        closedir(listing);
}

bool keep_init(Keep *keep, const char *path, uint64_t most, Error *error)
{
    Text folder = {0};
    text_add(&folder, "%s/executions", path);
    bool good = file_make_directory(folder.data);
    if (good) {
        *keep = (Keep){.directory = realpath(folder.data, NULL), .most = most};
        remove_traces(folder.data);
    } else {
        error_set(error, EXIT_USAGE, "%s: %s", folder.data, strerror(errno));
    }
    text_release(&folder);
    return good;
}

/* An execution that was abandoned, since others cover what would follow, is none of its own. */
static bool is_whole(const Execution *ex)
{
    return !ex->assumed_away && (ex->end == END_COMPLETE || ex->end == END_CUT || ex->finding_count > 0);
}

void keep_add(Keep *keep, const RunInfo *info, const Execution *ex, ExecutionTag tag)
{
    if (!keep->directory || !is_whole(ex) || atomic_load_explicit(&keep->count, memory_order_relaxed) >= keep->most)
        return;
    atomic_fetch_add_explicit(&keep->count, 1, memory_order_relaxed);
    Text path = {0}, text = {0};
    Trace *trace = wholetrace_create(info, ex->program, ex);
    trace_write(trace, &text);
    text_add(&path, "%s/%u-%06llu.trace", keep->directory, tag.part, (unsigned long long)tag.serial);
    file_write(path.data, O_TRUNC, text_borrow(&text), text.length); /* one that cannot be written is missing */
    trace_destroy(trace);
    text_release(&path);
    text_release(&text);
}
