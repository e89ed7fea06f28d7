/* path.c - see path.h */
#include "base/path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Both are absolute. */
static void add_relative(const char *from, const char *to, Text *text)
{
    size_t common = 0, i = 0;
    for (; from[i] && from[i] == to[i]; i++)
        if (from[i] == '/')
            common = i + 1;
    if (!from[i] && to[i] == '/')
        common = i + 1;
    for (const char *rest = from + (common < strlen(from) ? common : strlen(from)); *rest; rest++)
        if (rest == from + common || *rest == '/')
            text_add_string(text, "../");
    text_add_string(text, to + common);
}

void path_add_relative(const char *directory, const char *path, Text *text)
{
    char from[PATH_MAX], to[PATH_MAX];
    if (realpath(directory, from) && realpath(path, to))
        add_relative(from, to, text);
    else
        text_add_string(text, path);
}
