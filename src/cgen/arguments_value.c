/* arguments_value.c - see arguments_internal.h: numbers, structures and arrays */
#include "cgen/arguments_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_UNROLLED = 64, MOST_ENUMERATORS = 64 };

/* ---- Values of a test ------------------------------------------------------------------------ */

const char *arguments_value(const Trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->input_count; i++)
        if (strcmp(trace->inputs[i].name, name) == 0)
            return trace->inputs[i].value;
    return NULL;
}

void arguments_write_number(const char *value, Text *text)
{
    long long number = strtoll(value, NULL, 10);
    if (strcmp(value, "-9223372036854775808") == 0)
        text_add_string(text, "-9223372036854775807LL - 1");
    else if (value[0] != '-' && strtoull(value, NULL, 10) > INT64_MAX)
        text_add(text, "%sULL", value);
    else
        text_add(text, number > INT32_MAX || number <= INT32_MIN ? "%sLL" : "%s", value);
}

/* A hex escape of C would include digits that follow it, so bytes are written in octal. */
uint32_t arguments_write_bytes(const char *value, Text *text)
{
    uint32_t count = 0;
    text_add_string(text, "\"");
    for (const char *c = value[0] == '"' ? value + 1 : value; *c && *c != '"'; c++, count++) {
        unsigned byte = (unsigned char)*c;
        if (c[0] == '\\' && c[1] == 'x' && c[2] && c[3]) {
            byte = (unsigned)strtoul((char[]){c[2], c[3], '\0'}, NULL, 16);
            c += 3;
        }
        if (byte >= 0x20 && byte < 0x7f && !strchr("\"\\?", (int)byte))
            text_add(text, "%c", (int)byte);
        else
            text_add(text, "\\%03o", byte);
    }
    text_add_string(text, "\"");
    return count;
}

static void write_float(const char *value, uint64_t size, Text *text)
{
    uint64_t bits = strtoull(value, NULL, 10);
    uint32_t low = (uint32_t)bits;
    float single;
    double number;
    memcpy(&single, &low, sizeof single);
    memcpy(&number, &bits, sizeof number);
    if (size == sizeof single)
        number = (double)single;
    if (number - number == 0)
        text_add(text, size == sizeof single ? "%af" : "%a", number);
    else
        text_add_string(text, number != number ? "__builtin_nan(\"\")"
                              : number > 0     ? "__builtin_inf()"
                                               : "-__builtin_inf()");
}

/* ---- Numbers and bytes --------------------------------------------------------------------------- */

static const char *input_of(const DebugInfo *info, int type)
{
    static const char *const by_size[2][4] = {{"uchar", "ushort", "uint", "ulong"}, {"char", "short", "int", "long"}};
    uint64_t size = ctype_size(info, type);
    switch (ctype_kind(info, type)) {
    case CTYPE_BOOL: return "bool";
    case CTYPE_FLOAT: return size == 4 ? "float" : "double";
    default: return by_size[ctype_is_signed(info, type)][size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
    }
}

bool arguments_add_number(ArgumentWriter *w, const char *target, const char *name, int type)
{
    Text value = {0};
    const char *given = w->given ? arguments_value(w->given, name) : NULL;
    if (!w->given)
        text_add(&value, "sennit_%s(\"%s\")", ctype_kind(w->info, type) == CTYPE_ENUM ? "int" : input_of(w->info, type),
                 name);
    else if (ctype_kind(w->info, type) == CTYPE_FLOAT)
        write_float(given ? given : "0", ctype_size(w->info, type), &value);
    else
        arguments_write_number(given ? given : "0", &value);
    text_add_line(w->text, w->indent, "%s = %s;", target, value.data);
    text_release(&value);
    return true;
}

/* One of the enumerators. */
static bool add_enum(ArgumentWriter *w, const char *target, const char *name, int type)
{
    int element;
    Text condition = {0};
    uint32_t count = 0;
    for (; ctype_member(w->info, type, count, &element); count++)
        text_add(&condition, "%s(%s == %lld)", count ? " | " : "", target,
                 debuginfo_number(w->info, element, "value", 0));
    arguments_add_number(w, target, name, type);
    if (!w->given && count > 0 && count <= MOST_ENUMERATORS) {
        w->bounds.enumerators = true;
        text_add_line(w->text, w->indent, "sennit_assume(%s);", text_borrow(&condition));
    }
    text_release(&condition);
    return true;
}

/* `size` is a number, or an expression while there are inputs. */
void arguments_add_bytes(ArgumentWriter *w, const char *target, const char *size, const char *name)
{
    const char *given = w->given ? arguments_value(w->given, name) : NULL;
    if (!w->given) {
        text_add_line(w->text, w->indent, "sennit_bytes(%s, %s, \"%s\");", target, size, name);
    } else if (given) {
        Text bytes = {0};
        uint32_t count = arguments_write_bytes(given, &bytes);
        text_add_line(w->text, w->indent, "memcpy(%s, %s, %u);", target, bytes.data, count);
        text_release(&bytes);
    }
}

/* ---- Structures and arrays --------------------------------------------------------------------------- */

/* A const member is written to all the same. */
static void member_target(const ArgumentWriter *w, const char *target, const char *member, int type, Text *inner)
{
    text_reset(inner);
    if (ctype_is_const(w->info, type) && ctype_kind(w->info, type) != CTYPE_ARRAY) {
        text_add_string(inner, "(*(");
        ctype_spell(w->info, type, inner);
        text_add(inner, "*)&%s.%s)", target, member);
    } else {
        text_add(inner, *member ? "%s.%s" : "%s%s", target, member);
    }
}

static bool add_members(ArgumentWriter *w, const char *target, const char *name, int type)
{
    int member, place = w->place, open = ctype_flexible_member(w->info, type);
    Text inner = {0}, inner_name = {0}, word = {0};
    bool good = true;
    for (uint32_t i = 0; good && ctype_member(w->info, type, i, &member); i++) {
        if (member == open)
            continue; /* filled with the block */
        debuginfo_string(w->info, member, "name", &word);
        int base = ctype_base(w->info, member);
        member_target(w, target, text_borrow(&word), base, &inner);
        text_reset(&inner_name);
        text_add(&inner_name, word.length ? "%s.%s" : "%s%s", name, text_borrow(&word));
        w->place = member;
        good = arguments_add_value(w, text_borrow(&inner), text_borrow(&inner_name), base);
        w->place = place;
    }
    text_release(&inner);
    text_release(&inner_name);
    text_release(&word);
    return good;
}

static bool add_dimension(ArgumentWriter *w, const char *target, const char *name, int array, uint32_t level);

/* An element of an array: a value, or an array again. */
bool arguments_add_element(ArgumentWriter *w, const char *target, const char *name, long long nth, int type, int array,
                           uint32_t level)
{
    Text inner = {0}, inner_name = {0};
    text_add(&inner, "%s[%lld]", target, nth);
    text_add(&inner_name, "%s[%lld]", name, nth);
    bool good = array == DEBUG_NONE ? arguments_add_value(w, inner.data, inner_name.data, type)
                                    : add_dimension(w, inner.data, inner_name.data, array, level);
    text_release(&inner);
    text_release(&inner_name);
    return good;
}

/* The dimension `level` of an array, and those inside. */
static bool add_dimension(ArgumentWriter *w, const char *target, const char *name, int array, uint32_t level)
{
    long long count, next;
    int base = ctype_base(w->info, array);
    if (!ctype_dimension(w->info, array, level, &count) || count < 0)
        return arguments_refuse(w, name, "an array of unknown size");
    bool last = !ctype_dimension(w->info, array, level + 1, &next), good = true;
    if (last && ctype_is_byte(w->info, base)) {
        Text size = {0}, plain = {0};
        text_add(&size, "sizeof %s", target);
        text_add(&plain, "%s%s", ctype_is_const(w->info, base) ? "(char *)" : "", target);
        arguments_add_bytes(w, plain.data, size.data, name);
        text_release(&size);
        text_release(&plain);
        return true;
    }
    if (count > MOST_UNROLLED)
        return arguments_refuse(w, name, "an array of more than 64 elements");
    for (long long i = 0; good && i < count; i++)
        good = arguments_add_element(w, target, name, i, base, last ? DEBUG_NONE : array, level + 1);
    return good;
}

/* Its bytes, whichever member is meant. */
static bool add_union(ArgumentWriter *w, const char *target, const char *name, int type)
{
    Text address = {0}, size = {0};
    if (ctype_has_pointers(w->info, type))
        return arguments_refuse(w, name, "a union with pointers in it");
    text_add(&address, "&%s", target);
    text_add(&size, "sizeof %s", target);
    arguments_add_bytes(w, address.data, size.data, name);
    text_release(&address);
    text_release(&size);
    return true;
}

/* ---- All of them ---------------------------------------------------------------------------------- */

bool arguments_add_value(ArgumentWriter *w, const char *target, const char *name, int type)
{
    switch (ctype_kind(w->info, type)) {
    case CTYPE_NUMBER:
    case CTYPE_BOOL:
    case CTYPE_FLOAT: return arguments_add_number(w, target, name, type);
    case CTYPE_ENUM: return add_enum(w, target, name, type);
    case CTYPE_STRUCT: return add_members(w, target, name, type);
    case CTYPE_UNION: return add_union(w, target, name, type);
    case CTYPE_ARRAY: return add_dimension(w, target, name, ctype_strip(w->info, type), 0);
    case CTYPE_POINTER: return arguments_add_pointer(w, target, name, type);
    case CTYPE_WIDE: return arguments_refuse(w, name, "a number of more than 64 bits");
    case CTYPE_INCOMPLETE: return arguments_refuse(w, name, "of an incomplete type");
    default: return arguments_refuse(w, name, "of an unknown type");
    }
}

