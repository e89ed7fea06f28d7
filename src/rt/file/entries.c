/* entries.c - see entries.h */
#include "rt/file/entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/file/files_internal.h"
#include "rt/kernel/node.h"

static void add(FileEntries *entries, const char *name, unsigned char type, uint64_t number)
{
    struct dirent entry = {.d_ino = number, .d_type = type, .d_reclen = sizeof entry, .d_off = entries->count + 1};
    if (strlen(name) >= sizeof entry.d_name)
        report_not_modelled("a directory with a name of more than 255 characters");
    strcpy(entry.d_name, name);
    entries->items = mem_resize(entries->items, (entries->count + 1) * sizeof *entries->items);
    entries->items[entries->count++] = entry;
}

/* The entry's resolved name. */
static const char *name_in(const char *directory, const char *entry, char name[PATH_MAX])
{
    const char *separator = strcmp(directory, "/") == 0 ? "" : "/";
    if (strcmp(directory, ".") == 0)
        snprintf(name, PATH_MAX, "%s", entry);
    else if (snprintf(name, PATH_MAX, "%s%s%s", directory, separator, entry) >= PATH_MAX)
        report_not_modelled("a directory with a name of more than 4095 characters");
    return name;
}

static void add_real(FileEntries *entries, const char *directory)
{
    char path[PATH_MAX], name[PATH_MAX];
    DIR *real = opendir(files_system_name(directory, path));
    const struct dirent *entry;
    while (real && (entry = readdir(real)))
        if (!name_list_find(files_names(), name_in(directory, entry->d_name, name)))
            add(entries, entry->d_name, entry->d_type, entry->d_ino);
    if (real)
        closedir(real);
}

/* The newest name is the first one of the list. */
static void add_made(FileEntries *entries, const char *directory, const NameEntry *from)
{
    char parent[PATH_MAX];
    if (!from)
        return;
    add_made(entries, directory, from->next);
    if (from->node != node_self() || !from->file || strcmp(files_parent(from->name, parent), directory) != 0)
        return;
    const char *last = strrchr(from->name, '/');
    add(entries, last ? last + 1 : from->name, from->file->storage < 0 ? DT_DIR : DT_REG, files_hash(from->name));
}

void file_entries_fill(FileEntries *entries, const char *directory)
{
    file_entries_release(entries);
    if (files_find(directory)) {
        add(entries, ".", DT_DIR, files_hash(directory));
        add(entries, "..", DT_DIR, 1);
    } else {
        add_real(entries, directory);
    }
    add_made(entries, directory, files_names()->first);
}

void file_entries_release(FileEntries *entries)
{
    free(entries->items);
    *entries = (FileEntries){0};
}
