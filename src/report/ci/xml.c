/* xml.c - see xml.h */
#include "report/ci/xml.h"

#include <stdbool.h>
#include <string.h>

#include "report/utf8.h"

static const char REPLACEMENT[] = "\xef\xbf\xbd"; /* U+FFFD */

/* Characters of XML 1.0: also U+FFFE and U+FFFF are none. */
static bool is_allowed(const char *character, size_t size)
{
    unsigned char first = (unsigned char)*character;
    if (size == 1)
        return first >= ' ' || first == '\t' || first == '\n' || first == '\r';
    return size != 3 || (memcmp(character, "\xef\xbf\xbe", 3) != 0 && memcmp(character, "\xef\xbf\xbf", 3) != 0);
}

/* What a character is written as, or NULL: itself. A reader turns a literal CR into LF everywhere, and every
 * white space of an attribute into a blank. */
static const char *entity_of(char c, bool attribute)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;"; /* needed in "]]>" only */
    case '"': return attribute ? "&quot;" : NULL;
    case '\r': return "&#13;";
    case '\n': return attribute ? "&#10;" : NULL;
    case '\t': return attribute ? "&#9;" : NULL;
    default: return NULL;
    }
}

static void add_escaped(Text *out, const char *bytes, size_t size, bool attribute)
{
    for (size_t i = 0; i < size;) {
        size_t step = utf8_character(bytes + i, size - i);
        const char *entity = step == 1 ? entity_of(bytes[i], attribute) : NULL;
        if (step == 0 || !is_allowed(bytes + i, step))
            text_add_string(out, REPLACEMENT);
        else if (entity)
            text_add_string(out, entity);
        else
            text_add_bytes(out, bytes + i, step);
        i += step ? step : 1;
    }
}

void xml_add_text(Text *out, const char *bytes, size_t size)
{
    add_escaped(out, bytes, size, false);
}

void xml_add_attribute_bytes(Text *out, const char *name, const char *value, size_t size)
{
    text_add(out, " %s=\"", name);
    add_escaped(out, value, size, true);
    text_add_string(out, "\"");
}

void xml_add_attribute(Text *out, const char *name, const char *value)
{
    xml_add_attribute_bytes(out, name, value, strlen(value));
}
