/* float.c - floating-point numbers from text
 *
 * Where a number ends is found exactly, in the C locale; its characters are then concretised, and its value is computed
 * by the C library.
 */
#include <stdlib.h>

#include "rt/abi/tracked_hooks.h"
#include "tracked/character.h"
#include "tracked/tracked.h"

static int at_character(const char *at) { return (unsigned char)*at; }

/* The end of the word, in either case, if it is there; else NULL. */
static const char *skip_word(const char *at, const char *word)
{
    for (; *word; word++, at++)
        if (!is_letter(at_character(at), *word))
            return NULL;
    return at;
}

static const char *skip_digits(const char *at, unsigned base)
{
    while (is_digit(at_character(at), base))
        at++;
    return at;
}

static const char *skip_infinity(const char *at)
{
    const char *end = skip_word(at, "inf"), *longer = end ? skip_word(end, "inity") : NULL;
    return longer ? longer : end;
}

/* nan, or nan(letters_and_digits) */
static const char *skip_nan(const char *at)
{
    const char *end = skip_word(at, "nan");
    if (!end || *end != '(')
        return end;
    for (at = end + 1; sennit_tracked_isalnum(at_character(at)) | (*at == '_');)
        at++;
    return *at == ')' ? at + 1 : end;
}

static bool is_hexadecimal(const char *at)
{
    return at[0] == '0' && is_letter(at_character(at + 1), 'x') &&
           (is_digit(at_character(at + 2), 16) || (at[2] == '.' && is_digit(at_character(at + 3), 16)));
}

static const char *skip_exponent(const char *at, char letter)
{
    if (!is_letter(at_character(at), letter))
        return at;
    const char *digits = at + 1;
    if (*digits == '-' || *digits == '+')
        digits++;
    return is_digit(at_character(digits), 10) ? skip_digits(digits, 10) : at;
}

static const char *skip_figures(const char *at)
{
    bool hexadecimal = is_hexadecimal(at);
    unsigned base = hexadecimal ? 16 : 10;
    const char *whole = at + 2 * hexadecimal, *end = skip_digits(whole, base);
    bool any = end > whole;
    if (*end == '.') {
        const char *fraction = skip_digits(end + 1, base);
        if (!any && fraction == end + 1)
            return NULL;
        end = fraction;
    } else if (!any) {
        return NULL;
    }
    return skip_exponent(end, hexadecimal ? 'p' : 'e');
}

/* The end of the number, with or without a sign; NULL if there is none. */
static const char *skip_number(const char *at)
{
    if (*at == '-' || *at == '+')
        at++;
    if (is_letter(at_character(at), 'i'))
        return skip_infinity(at);
    if (is_letter(at_character(at), 'n'))
        return skip_nan(at);
    return skip_figures(at);
}

static void convert(const char *text, char **rest, void *value, size_t size)
{
    const char *begin = text;
    while (is_blank(at_character(begin)))
        begin++;
    const char *end = skip_number(begin);
    if (end)
        sennit_rt_scan_float(begin, (size_t)(end - begin), value, size);
    if (rest)
        *rest = (char *)(end ? end : text);
}

double sennit_tracked_strtod(const char *text, char **end)
{
    double value = 0;
    convert(text, end, &value, sizeof value);
    return value;
}

float sennit_tracked_strtof(const char *text, char **end)
{
    float value = 0;
    convert(text, end, &value, sizeof value);
    return value;
}

long double sennit_tracked_strtold(const char *text, char **end)
{
    long double value = 0;
    convert(text, end, &value, sizeof value);
    return value;
}

double sennit_tracked_atof(const char *text) { return sennit_tracked_strtod(text, NULL); }
