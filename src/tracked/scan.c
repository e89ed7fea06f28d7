/* scan.c - scanf and its like on strings and files that depend on inputs
 *
 * What is read, what is left and what is answered are those of glibc, in the C locale. A character has
 * few paths: blank or not, one of the signs, a digit or not; the value of a number is computed without
 * branches. Floating point is taken apart exactly, its value is the C library's.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tracked/tracked.h"

/* The runtime: is the file an input? Then it is the caller's until scan_end. */
extern bool sennit_rt_scan_begin(FILE *stream);
extern void sennit_rt_scan_end(FILE *stream);
/* What getc answered last was not used. */
extern void sennit_rt_scan_back(FILE *stream);
extern int sennit_rt_scan_real(FILE *stream, const char *format, va_list args);
/* Stores the number of the text, of `size` bytes; false if there is none. */
extern bool sennit_rt_scan_float(const char *text, size_t length, void *to, size_t size);
extern _Noreturn void sennit_rt_scan_refuse(const char *what);

/* Where characters come from; EOF is for good, and so is what errno was then. */
typedef struct Source {
    const unsigned char *text;
    FILE *stream;              /* NULL: the text */
    int last;
    int error;
    long taken;
} Source;

/* One conversion: %[*][width][length]kind */
typedef struct Conversion {
    bool suppressed, allocates;
    int width;                 /* -1: none given */
    int size;                  /* of the result: 1, 2, 4, 8 bytes */
    char length;               /* as written: 'l', 'L' (also ll, q), else 0 */
    unsigned char kind;
} Conversion;

typedef struct Arguments {
    va_list list;
} Arguments;

/* What a part of a format came to. */
typedef enum Result { GOES_ON, NO_MATCH, NO_INPUT } Result;

/* ---- Characters -------------------------------------------------------------------- */

static int take(Source *in)
{
    if (in->last == EOF) {
        errno = in->error;
        return EOF;
    }
    if (in->stream)
        in->last = getc(in->stream);
    else if (*in->text)
        in->last = *in->text++;
    else
        in->last = EOF;
    if (in->last == EOF)
        in->error = errno;
    else
        in->taken++;
    return in->last;
}

static void put_back(Source *in)
{
    if (in->last == EOF)
        return;
    in->taken--;
    if (in->stream)
        sennit_rt_scan_back(in->stream);
    else
        in->text--;
}

/* Each is one decision. */
static bool is_blank(int c) { return (c == ' ') | ((unsigned)(c - '\t') < 5); }
static bool is_letter(int c, char letter) { return (c | ('a' - 'A')) == letter; }
static bool is_digit(int c, unsigned base)
{
    unsigned low = c | ('a' - 'A');
    return base == 16 ? ((unsigned)(c - '0') < 10) | (low - 'a' < 6) : (unsigned)(c - '0') < base;
}

/* In ASCII letters have bit 6. */
static unsigned digit_value(int c) { return ((unsigned)c & 15) + 9 * ((unsigned)c >> 6); }

/* Leaves the first character that is not blank. */
static void skip_blanks(Source *in)
{
    while (is_blank(take(in)))
        continue;
    put_back(in);
}

/* Before a conversion an end that is met leaves errno as it was. */
static void begin_conversion(Source *in)
{
    int error = errno;
    if (in->last == EOF)
        return;
    errno = 0;
    skip_blanks(in);
    errno = error;
}

/* ---- Numbers ------------------------------------------------------------------------- */

/* The digits read so far; up to a number of them no value is too large. */
typedef struct Number {
    unsigned base;
    int digits;
    bool negative, too_large;
    unsigned long value;
} Number;

static void add_digit(Number *number, int c)
{
    unsigned digit = digit_value(c), safe = number->base == 16 ? 15 : number->base == 8 ? 20 : 18;
    if (number->digits >= (int)safe && number->value > (ULONG_MAX - digit) / number->base)
        number->too_large = true;
    number->value = number->value * number->base + digit;
    number->digits++;
}

static void use_width(Conversion *how) { how->width -= how->width > 0; }

/* "0", "0x"; of the latter the x is no digit, nor is it needed that one follows. */
static int take_prefix(Source *in, Conversion *how, Number *number, int c)
{
    if (number->base == 10 || number->base == 8 || how->width == 0 || c != '0')
        return c;
    use_width(how);
    number->digits++;
    c = take(in);
    bool hex = how->width != 0 && c != EOF && is_letter(c, 'x');
    if (number->base == 0)
        number->base = hex ? 16 : 8;
    if (!hex)
        return c;
    use_width(how);
    return take(in);
}

static bool is_null_pointer(Source *in, const Conversion *how, int c)
{
    static const char rest[] = "nil)";
    if (how->kind != 'p' || (how->width >= 0 && how->width < 5) || c != '(')
        return false;
    for (int i = 0; i < 4; i++) {
        c = take(in);
        if (c == EOF || !(i < 3 ? is_letter(c, rest[i]) : c == rest[i]))
            return false;
    }
    return true;
}

static unsigned long limit_number(const Number *number, bool is_signed)
{
    unsigned long most = (unsigned long)LONG_MAX + number->negative;
    if (number->too_large || (is_signed && number->digits > 15 && number->value > most)) {
        errno = ERANGE;
        return is_signed ? most : ULONG_MAX;
    }
    return number->negative ? 0 - number->value : number->value;
}

static void store(const Conversion *how, unsigned long value, void *to)
{
    switch (how->size) {
    case 1: *(unsigned char *)to = (unsigned char)value; break;
    case 2: *(unsigned short *)to = (unsigned short)value; break;
    case 4: *(unsigned *)to = (unsigned)value; break;
    default: *(unsigned long *)to = value;
    }
}

static unsigned base_of(unsigned char kind)
{
    return kind == 'i' ? 0 : kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : 10;
}

static Result scan_number(Source *in, Conversion *how, void *to)
{
    Number number = {.base = base_of(how->kind)};
    bool with_sign = false;
    int c = take(in);
    if (c == EOF)
        return NO_INPUT;
    number.negative = c == '-';
    if (number.negative || c == '+') {
        with_sign = true;
        use_width(how);
        c = take(in);
    }
    c = take_prefix(in, how, &number, c);
    if (number.base == 0)
        number.base = 10;
    for (; c != EOF && how->width != 0 && is_digit(c, number.base); c = take(in)) {
        add_digit(&number, c);
        use_width(how);
    }
    bool null = number.digits == 0 && !with_sign && is_null_pointer(in, how, c);
    if (!null)
        put_back(in);
    if (number.digits == 0 && !null)
        return NO_MATCH;
    unsigned long value = limit_number(&number, how->kind == 'd' || how->kind == 'i');
    if (to)
        store(how, value, to);
    return GOES_ON;
}

/* ---- Floating point ---------------------------------------------------------------------- */

enum { LONGEST_FLOAT = 511 };

typedef struct Float {
    char text[LONGEST_FLOAT + 1];
    size_t length;
} Float;

static void add(Float *number, int c)
{
    if (number->length == LONGEST_FLOAT)
        sennit_rt_scan_refuse("scanf of floating point with more than 511 characters");
    number->text[number->length++] = (char)c;
}

/* The letters of a word, of which the first was read. */
static bool take_word(Source *in, Conversion *how, Float *number, const char *word)
{
    add(number, *word++);
    for (; *word; word++) {
        if (how->width == 0 || take(in) == EOF || !is_letter(in->last, *word))
            return false;
        use_width(how);
        add(number, *word);
    }
    return true;
}

static bool take_infinity(Source *in, Conversion *how, Float *number)
{
    if (!take_word(in, how, number, "inf"))
        return false;
    if (how->width == 0 || take(in) == EOF)
        return true;
    if (!is_letter(in->last, 'i')) {
        put_back(in);
        return true;
    }
    use_width(how);
    return take_word(in, how, number, "inity");
}

/* Digits, a point, an exponent; false if that is no number. */
static bool take_figures(Source *in, Conversion *how, Float *number, size_t sign)
{
    bool hex = false, digit = false, point = false, exponent = false;
    int c = in->last;
    if (how->width != 0 && c == '0') {
        add(number, c);
        c = take(in);
        use_width(how);
        hex = how->width != 0 && c != EOF && is_letter(c, 'x');
        digit = !hex;
        if (hex) {
            add(number, c);
            c = take(in);
            use_width(how);
        }
    }
    for (;;) {
        char mark = hex ? 'p' : 'e';
        if (c != EOF && is_digit(c, !exponent && hex ? 16 : 10)) {
            add(number, c);
            digit = true;
        } else if (exponent && number->text[number->length - 1] == mark && (c == '-' || c == '+')) {
            add(number, c);
        } else if (digit && !exponent && c != EOF && is_letter(c, mark)) {
            add(number, mark);
            exponent = point = true;
        } else if (!point && c == '.') {
            add(number, c);
            point = true;
        } else {
            put_back(in);
            break;
        }
        if (how->width == 0 || (c = take(in)) == EOF)
            break;
        use_width(how);
    }
    return number->length > sign && !(hex && number->length == 2 + sign);
}

static Result scan_float(Source *in, Conversion *how, void *to)
{
    Float number = {.length = 0};
    int c = take(in);
    bool good;
    use_width(how);
    if (c == EOF)
        return NO_INPUT;
    size_t sign = c == '-' || c == '+';
    if (sign) {
        add(&number, c);
        if (how->width == 0 || (c = take(in)) == EOF)
            return NO_MATCH;
        use_width(how);
    }
    if (is_letter(c, 'n'))
        good = take_word(in, how, &number, "nan");
    else if (is_letter(c, 'i'))
        good = take_infinity(in, how, &number);
    else
        good = take_figures(in, how, &number, sign);
    number.text[number.length] = 0;
    size_t size = how->length == 'L' ? sizeof(long double) : how->length == 'l' ? sizeof(double) : sizeof(float);
    return good && sennit_rt_scan_float(number.text, number.length, to, size) ? GOES_ON : NO_MATCH;
}

/* ---- Texts -------------------------------------------------------------------------------- */

/* Where the characters of a text go: memory of the program, a block that grows (%ms), or nowhere. */
typedef struct Output {
    char *to;
    char **block;
    size_t length, room;
} Output;

static Output open_output(const Conversion *how, void *to)
{
    Output out = {.to = how->allocates ? NULL : to, .block = how->allocates ? to : NULL};
    if (out.block)
        out.to = *out.block = malloc(out.room = 16);
    return out;
}

static void put(Output *out, int c)
{
    if (out->block && out->length == out->room)
        out->to = *out->block = realloc(out->to, out->room *= 2);
    if (out->to)
        out->to[out->length] = (char)c;
    out->length++;
}

/* A block is as large as it must be, or none. */
static Result close_output(Output *out, Result result)
{
    if (out->block && result == GOES_ON)
        *out->block = realloc(out->to, out->length);
    if (out->block && result != GOES_ON) {
        free(out->to);
        *out->block = NULL;
    }
    return result;
}

static Result take_characters(Source *in, int width, Output *out)
{
    if (take(in) == EOF)
        return NO_INPUT;
    do
        put(out, in->last);
    while (--width > 0 && take(in) != EOF);
    return GOES_ON;
}

static Result take_word_of(Source *in, int width, Output *out)
{
    if (take(in) == EOF)
        return NO_INPUT;
    do {
        if (is_blank(in->last)) {
            put_back(in);
            break;
        }
        put(out, in->last);
    } while ((width <= 0 || --width > 0) && take(in) != EOF);
    put(out, 0);
    return GOES_ON;
}

/* Reads a set behind its bracket; false if it does not end. */
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

static Result take_members(Source *in, int width, const bool *is_member, Output *out)
{
    size_t before = out->length;
    if (width < 0)
        width = INT_MAX;
    if (take(in) == EOF)
        return NO_INPUT;
    do {
        if (!is_member[(unsigned char)in->last]) {
            put_back(in);
            break;
        }
        put(out, in->last);
    } while (--width > 0 && take(in) != EOF);
    if (out->length == before)
        return NO_MATCH;
    put(out, 0);
    return GOES_ON;
}

static Result scan_text(Source *in, const Conversion *how, const char **format, void *to)
{
    bool is_member[256];
    if (how->length || how->kind == 'C' || how->kind == 'S')
        sennit_rt_scan_refuse("scanf of wide characters");
    Output out = open_output(how, to);
    if (how->kind == 'c')
        return close_output(&out, take_characters(in, how->width, &out));
    if (how->kind == 's')
        return close_output(&out, take_word_of(in, how->width, &out));
    if (!parse_set(format, is_member))
        return close_output(&out, NO_MATCH);
    return close_output(&out, take_members(in, how->width, is_member, &out));
}

/* ---- Formats -------------------------------------------------------------------------------- */

static int take_width(const char **format)
{
    int width = 0;
    for (; **format >= '0' && **format <= '9'; ++*format)
        width = width * 10 + **format - '0';
    return width ? width : -1;
}

static void parse_length(const char **format, Conversion *how)
{
    char first = **format;
    how->size = 4;
    how->allocates = first == 'm';
    *format += how->allocates;
    first = **format;
    bool twice = (first == 'h' || first == 'l') && (*format)[1] == first && !how->allocates;
    switch (first) {
    case 'h': how->size = twice ? 1 : 2; break;
    case 'l': how->size = 8; how->length = twice ? 'L' : 'l'; break;
    case 'q': case 'L': how->size = 8; how->length = 'L'; break;
    case 'j': case 'z': case 't': how->size = 8; how->length = 'l'; break;
    default: return;
    }
    *format += 1 + twice;
}

static Conversion parse(const char **format)
{
    Conversion how = {.width = -1};
    const char *start = *format;
    if (take_width(&start) >= 0 && *start == '$')
        sennit_rt_scan_refuse("scanf with numbered arguments");
    for (; **format == '*' || **format == '\'' || **format == 'I'; ++*format)
        how.suppressed = how.suppressed || **format == '*';
    how.width = take_width(format);
    parse_length(format, &how);
    how.kind = (unsigned char)**format;
    if (how.kind)
        ++*format;
    if (how.kind == 'p')
        how.size = 8;
    return how;
}

static Result scan_percent(Source *in)
{
    int c = take(in);
    if (c == EOF)
        return NO_INPUT;
    if (c == '%')
        return GOES_ON;
    put_back(in);
    return NO_MATCH;
}

static Result convert(Source *in, Conversion *how, const char **format, void *to)
{
    switch (how->kind) {
    case '%': return scan_percent(in);
    case 'n':
        if (to)
            store(how, (unsigned long)in->taken, to);
        return GOES_ON;
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p': return scan_number(in, how, to);
    case 'c': case 'C': case 's': case 'S': case '[': return scan_text(in, how, format, to);
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A': return scan_float(in, how, to);
    default: return NO_MATCH;
    }
}

static bool takes_argument(const Conversion *how)
{
    static const char kinds[] = "ndiuxXopcCsS[fFeEgGaA";
    for (unsigned i = 0; kinds[i]; i++)
        if (how->kind == (unsigned char)kinds[i])
            return !how->suppressed;
    return false;
}

/* A character that must be there as it is; blanks before it count if the format has some. */
static Result match(Source *in, unsigned char wanted, bool blanks)
{
    if (take(in) == EOF)
        return NO_INPUT;
    while (blanks && is_blank(in->last))
        if (take(in) == EOF)
            return NO_INPUT;
    if (in->last == wanted)
        return GOES_ON;
    put_back(in);
    return NO_MATCH;
}

static int scan(Source *in, const char *format, Arguments *args)
{
    int done = 0;
    bool blanks = false;
    Result result = GOES_ON;
    while (*format && result == GOES_ON) {
        unsigned char c = (unsigned char)*format++;
        if (c != '%') {
            bool blank = is_blank(c);
            result = blank ? GOES_ON : match(in, c, blanks);
            blanks = blank;
            continue;
        }
        Conversion how = parse(&format);
        if (!how.kind)
            return done;
        if (blanks || (how.kind != '[' && how.kind != 'c' && how.kind != 'C' && how.kind != 'n'))
            begin_conversion(in);
        blanks = false;
        void *to = takes_argument(&how) ? va_arg(args->list, void *) : NULL;
        if (!to)
            how.allocates = false;
        result = convert(in, &how, &format, to);
        done += result == GOES_ON && to && how.kind != 'n';
    }
    if (blanks && result == GOES_ON)
        skip_blanks(in);
    return result == NO_INPUT && done == 0 ? EOF : done;
}

/* ---- Functions ---------------------------------------------------------------------------------- */

int sennit_tracked_vsscanf(const char *text, const char *format, va_list list)
{
    Source in = {.text = (const unsigned char *)text};
    Arguments args;
    va_copy(args.list, list);
    int count = scan(&in, format, &args);
    va_end(args.list);
    return count;
}

int sennit_tracked_vfscanf(FILE *stream, const char *format, va_list list)
{
    Source in = {.stream = stream};
    Arguments args;
    if (!sennit_rt_scan_begin(stream))
        return sennit_rt_scan_real(stream, format, list);
    va_copy(args.list, list);
    int count = scan(&in, format, &args);
    va_end(args.list);
    sennit_rt_scan_end(stream);
    return count;
}

#define FORWARD(call)       \
    va_list args;           \
    va_start(args, format); \
    int count = call;       \
    va_end(args);           \
    return count

int sennit_tracked_vscanf(const char *format, va_list args) { return sennit_tracked_vfscanf(stdin, format, args); }
int sennit_tracked_sscanf(const char *text, const char *format, ...) { FORWARD(sennit_tracked_vsscanf(text, format, args)); }
int sennit_tracked_fscanf(FILE *stream, const char *format, ...) { FORWARD(sennit_tracked_vfscanf(stream, format, args)); }
int sennit_tracked_scanf(const char *format, ...) { FORWARD(sennit_tracked_vfscanf(stdin, format, args)); }
