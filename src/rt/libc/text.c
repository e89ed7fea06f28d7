/* text.c - see text.h */
#include "rt/libc/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/identity.h"
#include "rt/kernel/runtime.h"
#include "rt/memory/pages.h"
#include "rt/sync/plain.h"

/* ---- Strings ---------------------------------------------------------------------------- */

/* Is the byte in a heap block that is alive, or outside the heaps? */
static bool is_readable(uint64_t at)
{
    uint8_t shadow = *memory_shadow_of(at);
    if (!shadow && pages_open(at, 1))
        shadow = *memory_shadow_of(at);
    return (at & 7) < (uint8_t)(shadow - (shadow > 8 ? 255 : 0));
}

static bool is_zero(const char *at, uint32_t unit)
{
    wchar_t wide = 0;
    if (unit == 1)
        return !*at;
    memcpy(&wide, at, sizeof wide);
    return !wide;
}

size_t text_measure(const void *text, uint32_t unit, size_t limit)
{
    bool checked = rt.self && in_heaps(address_of(text));
    for (size_t count = 0; count < limit; count++) {
        const char *at = (const char *)text + count * unit;
        if (checked && !is_readable(address_of(at) + unit - 1))
            return (count + 1) * unit;
        if (is_zero(at, unit))
            return (count + 1) * unit;
    }
    return limit * unit;
}

static size_t skip_sign(const char *text)
{
    size_t at = 0;
    while (isspace((unsigned char)text[at]))
        at++;
    return at + (text[at] == '+' || text[at] == '-');
}

static int digit_of(char c)
{
    int letter = tolower((unsigned char)c);
    return isdigit((unsigned char)c) ? c - '0' : letter >= 'a' && letter <= 'z' ? letter - 'a' + 10 : 99;
}

size_t text_measure_number(const char *text, int base)
{
    size_t at = skip_sign(text);
    bool prefix = text[at] == '0' && digit_of(text[at + 1]) == 33 && digit_of(text[at + 2]) < 16; /* 0x */
    if (base == 0)
        base = prefix ? 16 : text[at] == '0' ? 8 : 10;
    if (prefix && base == 16)
        at += 2;
    while (digit_of(text[at]) < base)
        at++;
    return at + 1;
}

size_t text_measure_float(const char *text)
{
    char *end;
    int error = errno;
    (void)strtod(text, &end);
    errno = error;
    return (end == text ? skip_sign(text) : (size_t)(end - text)) + 1;
}

size_t text_read(const char *text)
{
    size_t size = text_measure(text, 1, SIZE_MAX);
    plain_read(address_of(text), size);
    return size - 1;
}

void text_read_n(const char *text, size_t limit) { plain_read(address_of(text), text_measure(text, 1, limit)); }

/* ---- Formats ------------------------------------------------------------------------------ */

/* What one conversion takes from the arguments: %[flags][width][.precision][length]kind. */
typedef struct FormatConversion {
    int stars;     /* arguments for width and precision */
    int precision; /* -1: none; -2: the last of the stars */
    bool is_long;  /* 64 bits, or wide characters */
    bool is_long_double;
    uint8_t shorter; /* how often h was given */
    char kind;
} FormatConversion;

static const char *parse_number(const char *at, int star, FormatConversion *conversion, int *number)
{
    if (*at == '*') {
        conversion->stars++;
        *number = star;
        return at + 1;
    }
    *number = 0;
    while (isdigit((unsigned char)*at))
        *number = *number * 10 + (*at++ - '0');
    return at;
}

static const char *parse_conversion(const char *at, FormatConversion *conversion)
{
    int width;
    *conversion = (FormatConversion){.precision = -1};
    at += strspn(at, "-+ #0'I");
    at = parse_number(at, 0, conversion, &width);
    if (*at == '.')
        at = parse_number(at + 1, -2, conversion, &conversion->precision);
    for (; *at && strchr("hlLqjzt", *at); at++) {
        conversion->is_long |= *at != 'h';
        conversion->is_long_double |= *at == 'L';
        if (*at == 'h' && conversion->shorter < 2)
            conversion->shorter++;
    }
    conversion->kind = *at;
    return *at ? at + 1 : at;
}

static void read_argument(const char *text, const FormatConversion *conversion, int precision)
{
    size_t limit = precision < 0 ? SIZE_MAX : (size_t)precision;
    if (!text)
        return; /* printed as (null) */
    if (!conversion->is_long && conversion->kind == 's') {
        text_read_n(text, limit);
        return;
    }
    plain_read(address_of(text), text_measure(text, sizeof(wchar_t), limit));
}

static void write_count(void *count, const FormatConversion *conversion)
{
    size_t size = conversion->is_long ? sizeof(long) : sizeof(int) >> conversion->shorter;
    plain_write(address_of(count), size);
    shadow_memory_overwritten(count, size);
}

/* Takes the arguments of the conversion; false if it is unknown. */
static bool take_argument(const FormatConversion *conversion, va_list *args)
{
    int precision = conversion->precision;
    for (int i = 0; i < conversion->stars; i++) {
        int star = va_arg(*args, int);
        if (precision == -2 && i == conversion->stars - 1)
            precision = star;
    }
    switch (conversion->kind) {
    case 's':
    case 'S':
        read_argument(va_arg(*args, const char *), conversion, precision);
        return true;
    case '%':
    case 'm':
        return true;
    case 'n':
        write_count(va_arg(*args, void *), conversion);
        return true;
    case 'p':
        (void)va_arg(*args, void *);
        return true;
    default:
        if (!conversion->kind || !strchr("aAeEfFgGdiouxXcC", conversion->kind))
            return false;
        if (!strchr("aAeEfFgG", conversion->kind))
            (void)(conversion->is_long ? va_arg(*args, long) : va_arg(*args, int));
        else if (conversion->is_long_double)
            (void)va_arg(*args, long double);
        else
            (void)va_arg(*args, double);
        return true;
    }
}

void text_read_arguments(const char *format, va_list args)
{
    text_read(format);
    text_read_arguments_of(format, args);
}

void text_read_arguments_of(const char *format, va_list args)
{
    if (strchr(format, 'm'))
        identity_settle(); /* for %m */
    if (!strpbrk(format, "sSn"))
        return;
    va_list taken;
    va_copy(taken, args);
    for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
        FormatConversion conversion;
        at = parse_conversion(at + 1, &conversion);
        if (!take_argument(&conversion, &taken))
            break; /* arguments by number, for example */
    }
    va_end(taken);
}
