/* length.c - see length.h */
#include "cgen/length.h"

#include <string.h>
#include <strings.h>

#include "cgen/ctype.h"

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), size = strlen(end);
    return length >= size && strcasecmp(name + length - size, end) == 0;
}

/* A signed `n` may be any number; an unsigned one is mostly a length. */
static bool is_length_name(const char *name, bool is_signed)
{
    static const char *const ends[] = {"len", "length", "size", "count", "bytes", "sz", "capacity"}, *const plain[] = {
                                                                                                         "n", "num",
                                                                                                         "cap", "max"};
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends_with(name, ends[i]))
            return true;
    for (unsigned i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (!is_signed && strcasecmp(name, plain[i]) == 0)
            return true;
    return false;
}

uint32_t length_find(const DebugInfo *info, int function, uint32_t nth)
{
    int pointer, length;
    Text name = {0};
    if (!ctype_parameter(info, function, nth, &pointer) || ctype_kind(info, pointer) != CTYPE_POINTER ||
        !ctype_parameter(info, function, nth + 1, &length) || length == DEBUG_NONE ||
        ctype_kind(info, length) != CTYPE_NUMBER || ctype_size(info, length) < 2)
        return 0;
    ctype_parameter_name(info, function, nth + 1, &name);
    bool found = is_length_name(name.data, ctype_is_signed(info, length));
    text_release(&name);
    return found ? nth + 1 : 0;
}

uint32_t length_of(const DebugInfo *info, int function, uint32_t nth)
{
    return nth > 1 && length_find(info, function, nth - 1) ? nth - 1 : 0;
}
