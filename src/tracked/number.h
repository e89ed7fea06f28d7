/* number.h - integers from digits, for strtol and scanf
 *
 * The value is computed without branches. Whether it is too large is decided only if the number of digits permits it.
 */
#ifndef TRACKED_NUMBER_H
#define TRACKED_NUMBER_H

#include <stdbool.h>

/* The digits read so far. */
typedef struct Number {
    unsigned base;
    int digits;
    bool negative, too_large; /* for an unsigned long */
    unsigned long value;
} Number;

void sennit_tracked_number_add(Number *number, int digit);
/* The result of the C library: the number or, if it does not fit, the nearest one that does, with errno ERANGE. */
unsigned long sennit_tracked_number_value(const Number *number, bool is_signed);

#endif
