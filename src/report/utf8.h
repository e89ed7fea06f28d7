/* utf8.h - which bytes are characters */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include <stddef.h>

/* The number of bytes of the UTF-8 character at the beginning of `bytes`, of which `size` (> 0) are left;
 * 0 if the bytes there are not one: a byte out of place, an overlong form, a surrogate, beyond U+10FFFF. */
size_t utf8_character(const char *bytes, size_t size);

#endif
