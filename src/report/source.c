/* source.c - see source.h */
#include "report/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_source(const char *file, const char *directory)
{
    FILE *source = fopen(file, "re");
    if (source || file[0] == '/' || !directory || !*directory)
        return source;
    Text path = {0};
    text_add(&path, "%s/%s", directory, file);
    source = fopen(path.data, "re");
    text_release(&path);
    return source;
}

static void add_trimmed(Text *out, char *line)
{
    char *end = line + strlen(line);
    while (isspace((unsigned char)*line))
        line++;
    while (end > line && isspace((unsigned char)end[-1]))
        *--end = '\0';
    for (char *c = line; *c; c++)
        if (*c == '\t')
            *c = ' ';
    text_add_string(out, line);
}

bool source_add_line(Text *out, const char *file, const char *directory, uint32_t number)
{
    FILE *source = open_source(file, directory);
    if (!source)
        return false;
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    for (uint32_t i = 1; i <= number && getline(&line, &capacity, source) >= 0; i++)
        found = i == number;
    if (found)
        add_trimmed(out, line);
    free(line);
    fclose(source);
    return found;
}

const char *source_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
