/* traces.c - see traces.h */
#include "web/traces.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"

static const char ENDING[] = ".trace";
enum { ENDING_LENGTH = sizeof ENDING - 1 };

typedef VEC(char *) TraceNames;

static bool is_trace(const char *name)
{
    size_t length = strlen(name);
    return length > ENDING_LENGTH && strcmp(name + length - ENDING_LENGTH, ENDING) == 0;
}

static int by_name(const void *a, const void *b) { return strverscmp(*(char *const *)a, *(char *const *)b); }

/* Sorts the names and forgets those behind the first `most`. */
static void keep_first(TraceNames *names, uint32_t most)
{
    if (names->count > 1)
        qsort(names->items, names->count, sizeof *names->items, by_name);
    while (names->count > most)
        free(names->items[--names->count]);
}

/* The first `most` names of traces in a directory, which may have a million: they are never sorted all at once. */
static void read_names(const char *path, uint32_t most, TraceNames *names)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    const char *last = NULL; /* no name behind it is among the first */
    while (directory && (entry = readdir(directory))) {
        if (!is_trace(entry->d_name) || (last && strverscmp(entry->d_name, last) > 0))
            continue;
        VEC_PUSH(names, mem_copy_string(entry->d_name));
        if (names->count < 2 * most)
            continue;
        keep_first(names, most);
        last = names->items[most - 1];
    }
    if (directory)
        closedir(directory);
    keep_first(names, most);
}

void traces_each(const char *run, const char *folder, unsigned most,
                 void (*each)(void *context, const char *name, const char *path), void *context)
{
    Text path = {0}, name = {0};
    TraceNames names = {0};
    const char *slash = *folder ? "/" : "";
    text_add(&path, "%s/%s", run, folder);
    read_names(path.data, most, &names);
    for (uint32_t i = 0; i < names.count; i++) {
        text_reset(&path);
        text_reset(&name);
        text_add(&path, "%s/%s%s%s", run, folder, slash, names.items[i]);
        text_add(&name, "%s%s%.*s", folder, slash, (int)(strlen(names.items[i]) - ENDING_LENGTH), names.items[i]);
        each(context, name.data, path.data);
        free(names.items[i]);
    }
    VEC_FREE(&names);
    text_release(&path);
    text_release(&name);
}
