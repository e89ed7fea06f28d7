/* number.h - whole numbers out of digits, for strtol and scanf
 *
 * The value is computed without branches. Whether it is too large is asked only from that number of digits on with
 * which it can be.
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
/* What the C library makes of it: if it does not fit, the nearest number that does, and errno is ERANGE. */
unsigned long sennit_tracked_number_value(const Number *number, bool is_signed);

#endif
