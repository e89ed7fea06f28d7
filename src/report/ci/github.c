/* github.c - see github.h */
#include "report/ci/github.h"

#include <string.h>

/* Adds a text with the given characters written as %XX. */
static void add_escaped(Text *out, const char *text, const char *special)
{
    for (; *text; text++) {
        if (strchr(special, *text))
            text_add(out, "%%%02X", (unsigned)(unsigned char)*text);
        else
            text_add_bytes(out, text, 1);
    }
}

static void add_property(Text *out, const char *separator, const char *name, const char *value)
{
    text_add(out, "%s%s=", separator, name);
    add_escaped(out, value, "%\r\n:,");
}

void github_write(const GithubAnnotation *annotation, Text *out)
{
    const char *separator = " ";
    text_add(out, "::%s", annotation->level);
    if (annotation->file) {
        add_property(out, separator, "file", annotation->file);
        separator = ",";
        if (annotation->line)
            text_add(out, ",line=%u", annotation->line);
        if (annotation->line && annotation->column)
            text_add(out, ",col=%u", annotation->column);
    }
    add_property(out, separator, "title", annotation->title);
    text_add_string(out, "::");
    add_escaped(out, annotation->message, "%\r\n");
    text_add_string(out, "\n");
}
