/* scan_float.c - floating point, for scanf: its end is found exactly, its value is computed by the C library */
#include "rt/abi/tracked_hooks.h"
#include "tracked/character.h"
#include "tracked/scan_internal.h"

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
        if (how->width == 0 || sennit_scan_take(in) == EOF || !is_letter(in->last, *word))
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
    if (how->width == 0 || sennit_scan_take(in) == EOF)
        return true;
    if (!is_letter(in->last, 'i')) {
        sennit_scan_put_back(in);
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
        c = sennit_scan_take(in);
        use_width(how);
        hex = how->width != 0 && c != EOF && is_letter(c, 'x');
        digit = !hex;
        if (hex) {
            add(number, c);
            c = sennit_scan_take(in);
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
            sennit_scan_put_back(in);
            break;
        }
        if (how->width == 0 || (c = sennit_scan_take(in)) == EOF)
            break;
        use_width(how);
    }
    return number->length > sign && !(hex && number->length == 2 + sign);
}

Result sennit_scan_float(Source *in, Conversion *how, void *to)
{
    Float number = {.length = 0};
    int c = sennit_scan_take(in);
    bool good;
    use_width(how);
    if (c == EOF)
        return NO_INPUT;
    size_t sign = c == '-' || c == '+';
    if (sign) {
        add(&number, c);
        if (how->width == 0 || (c = sennit_scan_take(in)) == EOF)
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
    return good && sennit_rt_scan_float(number.text, number.length, to, size) ? MATCHED : NO_MATCH;
}
