/* entries.h - what a directory contains, as the execution sees it: the real entries and what was made or removed */
#ifndef RT_FILE_ENTRIES_H
#define RT_FILE_ENTRIES_H

#include <dirent.h>
#include <stdint.h>

typedef struct FileEntries {
    struct dirent *items;
    uint32_t count;
} FileEntries;

/* Those of a directory that exists, by its resolved name: first the real ones in their order, then those that were
 * made, the oldest first. */
void file_entries_fill(FileEntries *entries, const char *directory);
void file_entries_release(FileEntries *entries);

#endif
