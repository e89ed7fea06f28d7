/* scan.c - the scanf family on symbolic strings and files: formats */
#include <errno.h>
#include <stdarg.h>

#include "rt/abi/tracked_hooks.h"
#include "tracked/character.h"
#include "tracked/scan_internal.h"
#include "tracked/tracked.h"

/* ---- Blanks --------------------------------------------------------------------------- */

/* Skips blanks; the next character is the first that is not blank. */
static void skip_blanks(Source *in)
{
    while (is_blank(sennit_scan_take(in)))
        continue;
    sennit_scan_put_back(in);
}

/* Skips blanks before a conversion; the end of the text does not change errno here. */
static void begin_conversion(Source *in)
{
    int error = errno;
    if (in->last == EOF)
        return;
    errno = 0;
    skip_blanks(in);
    errno = error;
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
    int c = sennit_scan_take(in);
    if (c == EOF)
        return NO_INPUT;
    if (c == '%')
        return MATCHED;
    sennit_scan_put_back(in);
    return NO_MATCH;
}

static Result convert(Source *in, Conversion *how, const char **format, void *to)
{
    switch (how->kind) {
    case '%': return scan_percent(in);
    case 'n':
        if (to)
            sennit_scan_store(how, (unsigned long)in->taken, to);
        return MATCHED;
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p': return sennit_scan_number(in, how, to);
    case 'c': case 'C': case 's': case 'S': case '[': return sennit_scan_text(in, how, format, to);
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return sennit_scan_float(in, how, to);
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

/* A literal character of the format; `blanks`: the format has blanks before it, so those of the text are skipped. */
static Result match(Source *in, unsigned char wanted, bool blanks)
{
    if (sennit_scan_take(in) == EOF)
        return NO_INPUT;
    while (blanks && is_blank(in->last))
        if (sennit_scan_take(in) == EOF)
            return NO_INPUT;
    if (in->last == wanted)
        return MATCHED;
    sennit_scan_put_back(in);
    return NO_MATCH;
}

static int scan(Source *in, const char *format, VariableArguments *args)
{
    int done = 0;
    bool blanks = false;
    Result result = MATCHED;
    while (*format && result == MATCHED) {
        unsigned char c = (unsigned char)*format++;
        if (c != '%') {
            bool blank = is_blank(c);
            result = blank ? MATCHED : match(in, c, blanks);
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
        done += result == MATCHED && to && how.kind != 'n';
    }
    if (blanks && result == MATCHED)
        skip_blanks(in);
    return result == NO_INPUT && done == 0 ? EOF : done;
}

/* ---- Functions ---------------------------------------------------------------------------------- */

int sennit_tracked_vsscanf(const char *text, const char *format, va_list list)
{
    Source in = {.text = (const unsigned char *)text};
    VariableArguments args;
    va_copy(args.list, list);
    int count = scan(&in, format, &args);
    va_end(args.list);
    return count;
}

int sennit_tracked_vfscanf(FILE *stream, const char *format, va_list list)
{
    Source in = {.stream = stream};
    VariableArguments args;
    in.is_input = sennit_rt_scan_begin(stream);
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
int sennit_tracked_sscanf(const char *text, const char *format, ...)
{
    FORWARD(sennit_tracked_vsscanf(text, format, args));
}
int sennit_tracked_fscanf(FILE *stream, const char *format, ...)
{
    FORWARD(sennit_tracked_vfscanf(stream, format, args));
}
int sennit_tracked_scanf(const char *format, ...) { FORWARD(sennit_tracked_vfscanf(stdin, format, args)); }
