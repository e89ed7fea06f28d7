/* stdlib.h - the text of the standard library, embedded in the executable */
#ifndef ABS_SYNTAX_STDLIB_H
#define ABS_SYNTAX_STDLIB_H

#include <stddef.h>

const char *stdlib_text(size_t *size);

#endif
