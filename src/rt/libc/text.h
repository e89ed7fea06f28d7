/* text.h - strings of the program that library functions read on its behalf */
#ifndef RT_LIBC_TEXT_H
#define RT_LIBC_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* The size in bytes of a string of units of 1 or 4 bytes with its final zero, at most `limit` units. One that exceeds
 * its heap block is measured up to there, so that announcing the read reports the bug. */
size_t text_measure(const void *text, uint32_t unit, size_t limit);
/* What strtol reads of a text, with the byte behind the number: blanks, sign, prefix, digits of the base. */
size_t text_measure_number(const char *text, int base);
/* The same for strtod. */
size_t text_measure_float(const char *text);
/* The string is read now, at sennit_rt_site; answers its length. */
size_t text_read(const char *text);
/* The same for at most `limit` bytes. */
void text_read_n(const char *text, size_t limit);
/* A function of the printf family reads its format and the strings among its arguments, and writes where %n says.
 * `args` is not changed. */
void text_read_arguments(const char *format, va_list args);
/* The same without reading the format, which is none of the program's. */
void text_read_arguments_of(const char *format, va_list args);

#endif
