/* scan_text.c - characters, words and sets, for scanf */
#include <limits.h>
#include <stdlib.h>

#include "rt/abi/tracked_hooks.h"
#include "tracked/character.h"
#include "tracked/scan_internal.h"

/* Where the characters of a text go: memory of the program, a block that grows (%ms), or nowhere. */
typedef struct ScanOutput {
    char *to;
    char **block;
    size_t length, room;
} ScanOutput;

static ScanOutput open_output(const Conversion *how, void *to)
{
    ScanOutput out = {.to = how->allocates ? NULL : to, .block = how->allocates ? to : NULL};
    if (out.block)
        out.to = *out.block = malloc(out.room = 16);
    return out;
}

static void put(ScanOutput *out, int c)
{
    if (out->block && out->length == out->room)
        out->to = *out->block = realloc(out->to, out->room *= 2);
    if (out->to)
        out->to[out->length] = (char)c;
    out->length++;
}

/* Shrinks the block to its text; frees it if there is none. */
static Result close_output(ScanOutput *out, Result result)
{
    if (out->block && result == MATCHED)
        *out->block = realloc(out->to, out->length);
    if (out->block && result != MATCHED) {
        free(out->to);
        *out->block = NULL;
    }
    return result;
}

static Result take_characters(Source *in, int width, ScanOutput *out)
{
    if (sennit_scan_take(in) == EOF)
        return NO_INPUT;
    do
        put(out, in->last);
    while (--width > 0 && sennit_scan_take(in) != EOF);
    return MATCHED;
}

static Result take_word_of(Source *in, int width, ScanOutput *out)
{
    if (sennit_scan_take(in) == EOF)
        return NO_INPUT;
    do {
        if (is_blank(in->last)) {
            sennit_scan_put_back(in);
            break;
        }
        put(out, in->last);
    } while ((width <= 0 || --width > 0) && sennit_scan_take(in) != EOF);
    put(out, 0);
    return MATCHED;
}

/* Reads a set after its bracket; false if it is not closed. */
static bool parse_set(const char **format, bool *is_member)
{
    const char *f = *format;
    bool inverted = *f == '^';
    f += inverted;
    for (int i = 0; i < 256; i++)
        is_member[i] = inverted;
    if (*f == ']' || *f == '-')
        is_member[(unsigned char)*f++] = !inverted;
    for (; *f && *f != ']'; f++) {
        bool range = *f == '-' && f[1] && f[1] != ']' && (unsigned char)f[-1] <= (unsigned char)f[1];
        for (int c = (unsigned char)f[-1]; range && c < (unsigned char)f[1]; c++)
            is_member[c] = !inverted;
        if (!range)
            is_member[(unsigned char)*f] = !inverted;
    }
    *format = *f ? f + 1 : f;
    return *f == ']';
}

static Result take_members(Source *in, int width, const bool *is_member, ScanOutput *out)
{
    size_t before = out->length;
    if (width < 0)
        width = INT_MAX;
    if (sennit_scan_take(in) == EOF)
        return NO_INPUT;
    do {
        if (!is_member[(unsigned char)in->last]) {
            sennit_scan_put_back(in);
            break;
        }
        put(out, in->last);
    } while (--width > 0 && sennit_scan_take(in) != EOF);
    if (out->length == before)
        return NO_MATCH;
    put(out, 0);
    return MATCHED;
}

Result sennit_scan_text(Source *in, const Conversion *how, const char **format, void *to)
{
    bool is_member[256];
    if (how->length || how->kind == 'C' || how->kind == 'S')
        sennit_rt_scan_refuse("scanf of wide characters");
    ScanOutput out = open_output(how, to);
    if (how->kind == 'c')
        return close_output(&out, take_characters(in, how->width, &out));
    if (how->kind == 's')
        return close_output(&out, take_word_of(in, how->width, &out));
    if (!parse_set(format, is_member))
        return close_output(&out, NO_MATCH);
    return close_output(&out, take_members(in, how->width, is_member, &out));
}
