/* scan_number.c - integers and pointers, for scanf */
#include "tracked/character.h"
#include "tracked/number.h"
#include "tracked/scan_internal.h"

/* "0" or "0x"; the x is no digit, and no digit has to follow it. */
static int take_prefix(Source *in, Conversion *how, Number *number, int c)
{
    if (number->base == 10 || number->base == 8 || how->width == 0 || c != '0')
        return c;
    use_width(how);
    number->digits++;
    c = sennit_scan_take(in);
    bool hex = how->width != 0 && c != EOF && is_letter(c, 'x');
    if (number->base == 0)
        number->base = hex ? 16 : 8;
    if (!hex)
        return c;
    use_width(how);
    return sennit_scan_take(in);
}

static bool is_null_pointer(Source *in, const Conversion *how, int c)
{
    static const char rest[] = "nil)";
    if (how->kind != 'p' || (how->width >= 0 && how->width < 5) || c != '(')
        return false;
    for (int i = 0; i < 4; i++) {
        c = sennit_scan_take(in);
        if (c == EOF || !(i < 3 ? is_letter(c, rest[i]) : c == rest[i]))
            return false;
    }
    return true;
}

void sennit_scan_store(const Conversion *how, unsigned long value, void *to)
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

Result sennit_scan_number(Source *in, Conversion *how, void *to)
{
    Number number = {.base = base_of(how->kind)};
    bool with_sign = false;
    int c = sennit_scan_take(in);
    if (c == EOF)
        return NO_INPUT;
    number.negative = c == '-';
    if (number.negative || c == '+') {
        with_sign = true;
        use_width(how);
        c = sennit_scan_take(in);
    }
    c = take_prefix(in, how, &number, c);
    if (number.base == 0)
        number.base = 10;
    for (; c != EOF && how->width != 0 && is_digit(c, number.base); c = sennit_scan_take(in)) {
        sennit_tracked_number_add(&number, c);
        use_width(how);
    }
    bool null = number.digits == 0 && !with_sign && is_null_pointer(in, how, c);
    if (!null)
        sennit_scan_put_back(in);
    if (number.digits == 0 && !null)
        return NO_MATCH;
    unsigned long value = sennit_tracked_number_value(&number, how->kind == 'd' || how->kind == 'i');
    if (to)
        sennit_scan_store(how, value, to);
    return MATCHED;
}
