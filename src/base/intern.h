/* intern.h - one copy of each string, so that equal names are equal pointers */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Start with {0}. */
typedef struct Intern {
    Arena arena;
    const char **slots; /* hash table; NULL is free */
    uint32_t count;
    uint32_t room;
} Intern;

void intern_release(Intern *intern);

/* The only copy of these bytes, NUL-terminated; lives as long as the table. The bytes
 * must not contain NUL. */
const char *intern_make(Intern *intern, const char *bytes, size_t size);

#endif
