/* stdlib.h - the texts of the standard library, embedded in the executable */
#ifndef ABS_SYNTAX_STDLIB_H
#define ABS_SYNTAX_STDLIB_H

#include <stdbool.h>
#include <stddef.h>

const char *stdlib_text(size_t *size);
/* Modules that a model has only if it imports one of them. */
enum { STDLIB_PART_MODULES = 3 };

typedef struct StdlibPart {
    const char *name;
    const char *modules[STDLIB_PART_MODULES]; /* NULL behind the last one */
    const char *begin, *end;
} StdlibPart;

/* By number, from 0; NULL: there are no more. */
const StdlibPart *stdlib_part(unsigned number);
bool stdlib_part_has(const StdlibPart *part, const char *name);
/* Does this module belong to the library? */
bool stdlib_has_module(const char *name);

#endif
