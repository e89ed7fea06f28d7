/* number.h - Int and Rat of arbitrary size
 *
 * A number is a small integer, a big integer (CELL_INT) or a fraction (CELL_RAT, its
 * denominator greater than 1, without common divisors). Each number has one form, so
 * equal numbers are equal values.
 */
#ifndef ABS_VALUE_NUMBER_H
#define ABS_VALUE_NUMBER_H

#include "abs/value/value.h"

typedef enum NumberOp { NUMBER_ADD, NUMBER_SUB, NUMBER_MUL, NUMBER_DIV, NUMBER_MOD } NumberOp;

/* VALUE_NONE if the divisor is zero. The result of % has the sign of the divisor. */
Value number_apply(Arena *arena, NumberOp op, Value a, Value b);
Value number_negate(Arena *arena, Value a);
Value number_truncate(Arena *arena, Value a);
Value number_numerator(Value a);
Value number_denominator(Value a);
Value number_from_bits(Arena *arena, __int128 n);
/* False, without a result, if it is no integer of 128 bits. */
bool number_to_bits(Value a, __int128 *n);
/* The value of a string of decimal digits. */
Value number_parse(Arena *arena, const char *digits);
Value number_from_double(Arena *arena, double x); /* finite */
Value number_round(Arena *arena, double x);       /* an Int; x is finite and integral */
double number_to_double(Value a);
int number_compare(Value a, Value b);
int number_sign(Value a);
bool number_is(Value a); /* an Int or a Rat */
void number_print(Value a, Text *text);

#endif
