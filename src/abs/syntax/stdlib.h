/* stdlib.h - the text of the standard library, embedded in the executable */
#ifndef ABS_SYNTAX_STDLIB_H
#define ABS_SYNTAX_STDLIB_H

#include <stdbool.h>
#include <stddef.h>

const char *stdlib_text(size_t *size);
/* Does this module belong to the library? */
bool stdlib_has_module(const char *name);

#endif
