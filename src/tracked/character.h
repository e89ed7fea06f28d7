/* character.h - tests of characters, as in the C locale
 *
 * Each is one decision, for any number of characters: conditions are joined without branches.
 */
#ifndef TRACKED_CHARACTER_H
#define TRACKED_CHARACTER_H

#include <stdbool.h>

static inline bool is_in(int c, int first, int last)
{
    return (unsigned)c - (unsigned)first <= (unsigned)(last - first);
}
static inline bool is_blank(int c) { return (c == ' ') | is_in(c, '\t', '\r'); }
/* Is it this letter, in either case? */
static inline bool is_letter(int c, char letter) { return (c | ('a' - 'A')) == letter; }

/* A digit of a number with this base, from 2 to 36. */
static inline bool is_digit(int c, unsigned base)
{
    if (base <= 10)
        return is_in(c, '0', '0' + (int)base - 1);
    return is_in(c, '0', '9') | is_in(c | ('a' - 'A'), 'a', 'a' + (int)base - 11);
}

/* The value of a digit: in ASCII letters have bit 6 set, and count from 1 in the bits below bit 5. */
static inline unsigned digit_value(int c)
{
    unsigned letter = (unsigned)c >> 6;
    return ((unsigned)c & (15 | letter << 4)) + 9 * letter;
}

#endif
