/* reading.c - see reading.h */
#include "abs/syntax/reading.h"

#include <stdlib.h>
#include <string.h>

void file_names_release(FileNames *names)
{
    for (uint32_t i = 0; i < names->count; i++)
        free(names->items[i]);
    VEC_FREE(names);
}

static void add_place(FileNames *places, const char *text, size_t length)
{
    char *place = mem_alloc(length + 1);
    memcpy(place, text, length);
    VEC_PUSH(places, place);
}

void reading_list_places(const ModelReading *reading, const char *file, FileNames *places)
{
    const char *slash = strrchr(file, '/');
    if (!slash)
        add_place(places, ".", 1);
    else
        add_place(places, file, slash == file ? 1 : (size_t)(slash - file));
    for (const char *at = reading->search_path; at && *at;) {
        size_t length = strcspn(at, ":");
        if (length)
            add_place(places, at, length);
        at += length + (at[length] == ':');
    }
}
