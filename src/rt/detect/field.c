/* field.c - see field.h */
#include "rt/detect/field.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text being written. */
typedef struct Out {
    char *at;
    size_t left;
} Out;

static void add(Out *out, const char *format, uint64_t number, const char *word, int length)
{
    int written =
        word ? snprintf(out->at, out->left, format, length, word) : snprintf(out->at, out->left, format, number);
    size_t used = written < 0 ? 0 : (size_t)written < out->left ? (size_t)written : out->left ? out->left - 1 : 0;
    out->at += used;
    out->left -= used;
}

/* The end of the layout that begins here: brackets in pairs. */
static const char *skip(const char *layout)
{
    unsigned depth = 0;
    for (; *layout; layout++) {
        if (*layout == '{')
            depth++;
        else if (*layout == '}' && depth-- == 0)
            return layout;
        else if (*layout == ';' && depth == 0)
            return layout;
    }
    return layout;
}

/* The last member that begins at or before `*offset`, which becomes relative to it. */
static const char *find_member(const char *layout, uint64_t *offset, Out *out)
{
    const char *best = NULL, *best_end = NULL;
    uint64_t best_offset = 0;
    for (const char *at = layout + 1; *at && *at != '}';) {
        char *colon;
        uint64_t begin = strtoull(at, &colon, 10);
        const char *name = colon + 1, *end = name + strcspn(name, "{[;");
        if (begin <= *offset && (!best || begin >= best_offset)) {
            best = name;
            best_end = end;
            best_offset = begin;
        }
        at = skip(end);
        at += *at == ';';
    }
    if (!best)
        return NULL;
    if (best_end > best) /* an unnamed member lends its own members */
        add(out, ".%.*s", 0, best, (int)(best_end - best));
    *offset -= best_offset;
    return best_end;
}

void field_name(const char *layout, uint64_t offset, char *text, size_t size)
{
    Out out = {text, size};
    if (size)
        *text = '\0';
    while (layout && (*layout == '{' || *layout == '[')) {
        if (*layout == '{') {
            layout = find_member(layout, &offset, &out);
        } else {
            char *end;
            uint64_t element = strtoull(layout + 1, &end, 10);
            add(&out, "[%" PRIu64 "]", element ? offset / element : 0, NULL, 0);
            offset = element ? offset % element : offset;
            layout = end + 1;
        }
    }
    if (offset)
        add(&out, "+%" PRIu64, offset, NULL, 0);
}
