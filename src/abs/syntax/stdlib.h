/* stdlib.h - the texts of the standard library, embedded in the executable */
#ifndef ABS_SYNTAX_STDLIB_H
#define ABS_SYNTAX_STDLIB_H

#include <stdbool.h>
#include <stddef.h>

const char *stdlib_text(size_t *size);
/* The modules that a model has only if it imports one of them. */
const char *stdlib_meta_text(size_t *size);
bool stdlib_is_meta(const char *name);
/* Does this module belong to the library? */
bool stdlib_has_module(const char *name);

#endif
