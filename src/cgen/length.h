/* length.h - parameters that are the length of what another one points to: f(const char *data, size_t size) */
#ifndef CGEN_LENGTH_H
#define CGEN_LENGTH_H

#include "cgen/debuginfo.h"

/* The parameter with the length of what parameter `nth`, a pointer, points to: the integer after it, if it is named
 * like a length. 0: none. */
uint32_t length_find(const DebugInfo *info, int function, uint32_t nth);
/* The pointer whose length parameter `nth` is, or 0. */
uint32_t length_of(const DebugInfo *info, int function, uint32_t nth);

#endif
