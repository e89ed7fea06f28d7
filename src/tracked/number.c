/* number.c - numbers out of texts */
#include <errno.h>
#include <limits.h>

#include "tracked/tracked.h"

static int digit_of(char c)
{
    if (sennit_tracked_isdigit(c))
        return c - '0';
    if (sennit_tracked_isalpha(c))
        return sennit_tracked_tolower(c) - 'a' + 10;
    return 99;
}

/* Skips what stands before the digits and finds the base. */
static const char *find_digits(const char *text, int *base, int *negative)
{
    while (sennit_tracked_isspace((unsigned char)*text))
        text++;
    *negative = *text == '-';
    if (*text == '-' || *text == '+')
        text++;
    if ((*base == 0 || *base == 16) && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && digit_of(text[2]) < 16) {
        *base = 16;
        return text + 2;
    }
    if (*base == 0)
        *base = *text == '0' ? 8 : 10;
    return text;
}

/* The magnitude; *overflow if it is above `most`. */
static unsigned long take_digits(const char **text, int base, unsigned long most, int *overflow)
{
    unsigned long value = 0;
    for (int digit; (digit = digit_of(**text)) < base; ++*text) {
        if (value > (most - (unsigned long)digit) / (unsigned long)base)
            *overflow = 1;
        value = value * (unsigned long)base + (unsigned long)digit;
    }
    return value;
}

long sennit_tracked_strtol(const char *text, char **end, int base)
{
    int negative, overflow = 0;
    const char *digits = find_digits(text, &base, &negative), *at = digits;
    unsigned long value = take_digits(&at, base, (unsigned long)LONG_MAX + (negative ? 1 : 0), &overflow);
    if (end)
        *end = (char *)(at == digits ? text : at);
    if (overflow) {
        errno = ERANGE;
        return negative ? LONG_MIN : LONG_MAX;
    }
    return (long)(negative ? 0 - value : value);
}

unsigned long sennit_tracked_strtoul(const char *text, char **end, int base)
{
    int negative, overflow = 0;
    const char *digits = find_digits(text, &base, &negative), *at = digits;
    unsigned long value = take_digits(&at, base, ULONG_MAX, &overflow);
    if (end)
        *end = (char *)(at == digits ? text : at);
    if (overflow) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return negative ? 0 - value : value;
}

int sennit_tracked_atoi(const char *text) { return (int)sennit_tracked_strtol(text, NULL, 10); }
long sennit_tracked_atol(const char *text) { return sennit_tracked_strtol(text, NULL, 10); }
