/* format.c - printing into memory
 *
 * A symbolic number has a path per number of digits and sign, not one per value: the digits
 * themselves are computed without branches. Floating point is printed by
 * the C library.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "rt/abi/tracked_hooks.h"
#include "tracked/tracked.h"

/* Where bytes go; those beyond `room` are only counted. */
typedef struct PrintOutput {
    char *to;
    size_t room;
    size_t length;
} PrintOutput;

/* One conversion: %[flags][width][.precision][length]kind */
typedef struct PrintConversion {
    bool left, zero, plus, space, alternative;
    int width;
    int precision;  /* -1: none given */
    int size;       /* -2 hh, -1 h, 0, 1 l, 2 ll and others of 64 bits, 3 L */
    char kind;
} PrintConversion;

static void put(PrintOutput *out, char c)
{
    if (out->length + 1 < out->room)
        out->to[out->length] = c;
    out->length++;
}

static void put_times(PrintOutput *out, char c, int count)
{
    while (count-- > 0)
        put(out, c);
}

/* ---- Texts ------------------------------------------------------------------------------ */

static void put_text(PrintOutput *out, const PrintConversion *how, const char *text)
{
    int length = 0;
    if (!text)
        text = "(null)";
    while (length != how->precision && text[length])
        length++;
    if (!how->left)
        put_times(out, ' ', how->width - length);
    for (int i = 0; i < length; i++)
        put(out, text[i]);
    if (how->left)
        put_times(out, ' ', how->width - length);
}

/* ---- Numbers ------------------------------------------------------------------------------ */

static unsigned base_of(char kind) { return kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : 10; }

static int count_digits(uint64_t value, unsigned base)
{
    int count = 1;
    for (uint64_t limit = base; value >= limit; count++) {
        if (limit > UINT64_MAX / base)
            return count + 1;
        limit *= base;
    }
    return count;
}

static char digit(unsigned value, bool capital)
{
    unsigned letters = capital ? 'A' - '9' - 1 : 'a' - '9' - 1;
    return (char)('0' + value + ((9 - value) >> 31) * letters);
}

static void put_digits(PrintOutput *out, uint64_t value, int count, unsigned base, bool capital)
{
    uint64_t place = 1;
    for (int i = 1; i < count; i++)
        place *= base;
    for (; count > 0; count--, place /= base)
        put(out, digit((unsigned)(value / place % base), capital));
}

static void put_number(PrintOutput *out, const PrintConversion *how, uint64_t value, const char *sign)
{
    unsigned base = base_of(how->kind);
    int digits = how->precision == 0 && value == 0 ? 0 : count_digits(value, base);
    int zeros = how->precision > digits ? how->precision - digits : 0, signs = 0;
    if (how->kind == 'o' && how->alternative && zeros == 0 && (value != 0 || digits == 0))
        zeros = 1;
    while (sign[signs])
        signs++;
    if (how->zero && !how->left && how->precision < 0 && how->width > signs + zeros + digits)
        zeros = how->width - signs - digits;
    int blanks = how->width - signs - zeros - digits;
    if (!how->left)
        put_times(out, ' ', blanks);
    for (int i = 0; i < signs; i++)
        put(out, sign[i]);
    put_times(out, '0', zeros);
    put_digits(out, value, digits, base, how->kind == 'X');
    if (how->left)
        put_times(out, ' ', blanks);
}

static void put_signed(PrintOutput *out, const PrintConversion *how, int64_t value)
{
    bool negative = value < 0;
    uint64_t magnitude = negative ? 0 - (uint64_t)value : (uint64_t)value;
    put_number(out, how, magnitude, negative ? "-" : how->plus ? "+" : how->space ? " " : "");
}

static void put_unsigned(PrintOutput *out, const PrintConversion *how, uint64_t value)
{
    bool prefix = how->kind == 'p' || (how->alternative && base_of(how->kind) == 16 && value != 0);
    put_number(out, how, value, !prefix ? "" : how->kind == 'X' ? "0X" : "0x");
}

static void put_pointer(PrintOutput *out, const PrintConversion *how, const void *value)
{
    if (value)
        put_unsigned(out, how, (uint64_t)(uintptr_t)value);
    else
        put_text(out, &(PrintConversion){.left = how->left, .width = how->width, .precision = -1}, "(nil)");
}

/* ---- Floating point ------------------------------------------------------------------------- */

/* "%-+ #0*.*Lf" without the flags and the length that are not set; a precision below 0 counts as none. */
static void spell(const PrintConversion *how, char *format)
{
    *format++ = '%';
    if (how->left)
        *format++ = '-';
    if (how->plus)
        *format++ = '+';
    if (how->space)
        *format++ = ' ';
    if (how->alternative)
        *format++ = '#';
    if (how->zero)
        *format++ = '0';
    *format++ = '*';
    *format++ = '.';
    *format++ = '*';
    if (how->size == 3)
        *format++ = 'L';
    *format++ = how->kind;
    *format = 0;
}

static void put_float(PrintOutput *out, const PrintConversion *how, double value, long double long_value)
{
    char format[16];
    spell(how, format);
    size_t room = out->room > out->length ? out->room - out->length : 0;
    char *to = room ? out->to + out->length : NULL;
    int length = how->size == 3 ? sennit_rt_format_long_float(to, room, format, how->width, how->precision, long_value)
                                : sennit_rt_format_float(to, room, format, how->width, how->precision, value);
    out->length += length > 0 ? (size_t)length : 0;
}

/* ---- Formats ---------------------------------------------------------------------------------- */

static int take_count(const char **format, VariableArguments *args)
{
    int count = 0;
    if (**format == '*') {
        ++*format;
        return va_arg(args->list, int);
    }
    while (**format >= '0' && **format <= '9')
        count = count * 10 + *(*format)++ - '0';
    return count;
}

static void parse_flags(const char **format, PrintConversion *how)
{
    for (;; ++*format)
        switch (**format) {
        case '-': how->left = true; break;
        case '0': how->zero = true; break;
        case '+': how->plus = true; break;
        case ' ': how->space = true; break;
        case '#': how->alternative = true; break;
        default: return;
        }
}

static void parse_size(const char **format, PrintConversion *how)
{
    for (;; ++*format)
        switch (**format) {
        case 'h': how->size--; break;
        case 'l': how->size++; break;
        case 'j': case 'z': case 't': case 'q': how->size = 2; break;
        case 'L': how->size = 3; break;
        default: return;
        }
}

static PrintConversion parse(const char **format, VariableArguments *args)
{
    PrintConversion how = {.precision = -1};
    parse_flags(format, &how);
    how.width = take_count(format, args);
    if (how.width < 0) {
        how.left = true;
        how.width = -how.width;
    }
    if (**format == '.') {
        ++*format;
        how.precision = take_count(format, args);
    }
    parse_size(format, &how);
    how.kind = **format;
    return how;
}

static int64_t take_signed(const PrintConversion *how, VariableArguments *args)
{
    if (how->size > 0)
        return va_arg(args->list, long);
    int value = va_arg(args->list, int);
    return how->size == -1 ? (short)value : how->size == -2 ? (signed char)value : value;
}

static uint64_t take_unsigned(const PrintConversion *how, VariableArguments *args)
{
    if (how->size > 0)
        return va_arg(args->list, unsigned long);
    unsigned value = va_arg(args->list, unsigned);
    return how->size == -1 ? (unsigned short)value : how->size == -2 ? (unsigned char)value : value;
}

static void store_length(const PrintOutput *out, const PrintConversion *how, VariableArguments *args)
{
    void *to = va_arg(args->list, void *);
    switch (how->size) {
    case -2: *(signed char *)to = (signed char)out->length; break;
    case -1: *(short *)to = (short)out->length; break;
    case 0: *(int *)to = (int)out->length; break;
    default: *(long *)to = (long)out->length;
    }
}

static void put_character(PrintOutput *out, const PrintConversion *how, char c)
{
    if (!how->left)
        put_times(out, ' ', how->width - 1);
    put(out, c);
    if (how->left)
        put_times(out, ' ', how->width - 1);
}

static void convert(PrintOutput *out, const PrintConversion *how, VariableArguments *args)
{
    switch (how->kind) {
    case 'd': case 'i': put_signed(out, how, take_signed(how, args)); break;
    case 'u': case 'x': case 'X': case 'o': put_unsigned(out, how, take_unsigned(how, args)); break;
    case 'c': put_character(out, how, (char)va_arg(args->list, int)); break;
    case 's': put_text(out, how, va_arg(args->list, const char *)); break;
    case 'p': put_pointer(out, how, va_arg(args->list, void *)); break;
    case 'n': store_length(out, how, args); break;
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
        if (how->size == 3)
            put_float(out, how, 0, va_arg(args->list, long double));
        else
            put_float(out, how, va_arg(args->list, double), 0);
        break;
    default: put(out, how->kind); /* %%, and what C leaves undefined */
    }
}

static int print_into(char *to, size_t room, const char *format, va_list list)
{
    PrintOutput out = {to, room, 0};
    VariableArguments args;
    va_copy(args.list, list);
    for (; *format; format++) {
        if (*format != '%') {
            put(&out, *format);
            continue;
        }
        format++;
        PrintConversion how = parse(&format, &args);
        if (!*format)
            break;
        convert(&out, &how, &args);
    }
    va_end(args.list);
    if (room)
        to[out.length < room ? out.length : room - 1] = 0;
    return (int)out.length;
}

/* ---- Functions ---------------------------------------------------------------------------------- */

#define FORWARD(call)             \
    va_list args;                 \
    va_start(args, format);       \
    int length = call;            \
    va_end(args);                 \
    return length

int sennit_tracked_vsnprintf(char *to, size_t size, const char *format, va_list args)
{
    return print_into(to, size, format, args);
}
int sennit_tracked_vsprintf(char *to, const char *format, va_list args)
{
    return print_into(to, INT_MAX, format, args);
}
int sennit_tracked_snprintf(char *to, size_t size, const char *format, ...)
{
    FORWARD(print_into(to, size, format, args));
}
int sennit_tracked_sprintf(char *to, const char *format, ...) { FORWARD(print_into(to, INT_MAX, format, args)); }

int sennit_tracked___vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args)
{
    (void)flag;
    return print_into(to, size < room ? size : room, format, args);
}

int sennit_tracked___vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args)
{
    (void)flag;
    (void)room;
    return print_into(to, INT_MAX, format, args);
}

int sennit_tracked___snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
    FORWARD(sennit_tracked___vsnprintf_chk(to, size, flag, room, format, args));
}

int sennit_tracked___sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
    FORWARD(sennit_tracked___vsprintf_chk(to, flag, room, format, args));
}

int sennit_tracked_vasprintf(char **result, const char *format, va_list args)
{
    int length = print_into(NULL, 0, format, args);
    char *text = malloc((size_t)length + 1);
    if (!text)
        return -1;
    *result = text;
    return print_into(text, (size_t)length + 1, format, args);
}

int sennit_tracked_asprintf(char **result, const char *format, ...)
{
    FORWARD(sennit_tracked_vasprintf(result, format, args));
}

/* Called only where the program uses the result: how much was printed. */
int sennit_tracked_vfprintf(FILE *stream, const char *format, va_list args)
{
    int length = print_into(NULL, 0, format, args);
    vfprintf(stream, format, args);
    return length;
}

int sennit_tracked_vprintf(const char *format, va_list args) { return sennit_tracked_vfprintf(stdout, format, args); }
int sennit_tracked_printf(const char *format, ...) { FORWARD(sennit_tracked_vfprintf(stdout, format, args)); }
int sennit_tracked_fprintf(FILE *stream, const char *format, ...)
{
    FORWARD(sennit_tracked_vfprintf(stream, format, args));
}
