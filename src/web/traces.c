/* traces.c - see traces.h */
#include "web/traces.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char ENDING[] = ".trace";
enum { ENDING_LENGTH = sizeof ENDING - 1 };

static int is_trace(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > ENDING_LENGTH && strcmp(entry->d_name + length - ENDING_LENGTH, ENDING) == 0;
}

void traces_each(const char *run, const char *folder, unsigned most,
                 void (*each)(void *context, const char *name, const char *path), void *context)
{
    Text path = {0}, name = {0};
    struct dirent **entries;
    const char *slash = *folder ? "/" : "";
    text_add(&path, "%s/%s", run, folder);
    int count = scandir(path.data, &entries, is_trace, versionsort);
    for (int i = 0; i < count; i++) {
        text_reset(&path);
        text_reset(&name);
        text_add(&path, "%s/%s%s%s", run, folder, slash, entries[i]->d_name);
        text_add(&name, "%s%s%.*s", folder, slash, (int)(strlen(entries[i]->d_name) - ENDING_LENGTH),
                 entries[i]->d_name);
        if ((unsigned)i < most)
            each(context, name.data, path.data);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    text_release(&path);
    text_release(&name);
}
