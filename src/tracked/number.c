/* number.c - integers from text: strtol and its family */
#include "tracked/number.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>

#include "tracked/character.h"
#include "tracked/tracked.h"

/* How many digits a number may have that is certainly at most `most`. */
static int safe_digits(unsigned base, unsigned long most)
{
    int count = 0;
    for (; most >= base; most /= base)
        count++;
    return count;
}

void sennit_tracked_number_add(Number *number, int c)
{
    unsigned digit = digit_value(c);
    if (number->digits >= safe_digits(number->base, ULONG_MAX) && number->value > (ULONG_MAX - digit) / number->base)
        number->too_large = true;
    number->value = number->value * number->base + digit;
    number->digits++;
}

unsigned long sennit_tracked_number_value(const Number *number, bool is_signed)
{
    unsigned long most = (unsigned long)LONG_MAX + number->negative;
    bool may_exceed = is_signed && number->digits > safe_digits(number->base, LONG_MAX);
    if (number->too_large || (may_exceed && number->value > most)) {
        errno = ERANGE;
        return is_signed ? most : ULONG_MAX;
    }
    return number->negative ? 0 - number->value : number->value;
}

/* ---- strtol and its like ------------------------------------------------------------------- */

/* Skips what precedes the digits and determines the base. */
static const char *find_digits(const char *text, Number *number)
{
    while (is_blank((unsigned char)*text))
        text++;
    number->negative = *text == '-';
    if (number->negative || *text == '+')
        text++;
    if ((number->base == 0 || number->base == 16) && text[0] == '0' && is_letter((unsigned char)text[1], 'x') &&
        is_digit((unsigned char)text[2], 16)) {
        number->base = 16;
        return text + 2;
    }
    if (number->base == 0)
        number->base = *text == '0' ? 8 : 10;
    return text;
}

static unsigned long convert(const char *text, char **end, int base, bool is_signed)
{
    Number number = {.base = (unsigned)base};
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    const char *at = find_digits(text, &number);
    for (; is_digit((unsigned char)*at, number.base); at++)
        sennit_tracked_number_add(&number, (unsigned char)*at);
    if (end)
        *end = (char *)(number.digits ? at : text);
    return number.digits ? sennit_tracked_number_value(&number, is_signed) : 0;
}

long sennit_tracked_strtol(const char *text, char **end, int base) { return (long)convert(text, end, base, true); }
unsigned long sennit_tracked_strtoul(const char *text, char **end, int base) { return convert(text, end, base, false); }
int sennit_tracked_atoi(const char *text) { return (int)convert(text, NULL, 10, true); }
long sennit_tracked_atol(const char *text) { return (long)convert(text, NULL, 10, true); }
