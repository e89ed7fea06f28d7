/* scratch.h - a directory of temporary files that disappears with its contents */
#ifndef HOST_SCRATCH_H
#define HOST_SCRATCH_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

typedef struct Scratch {
    char directory[PATH_MAX]; /* empty: not made yet */
    VEC(char *) files;
} Scratch;

/* A new name in the directory, which is made on first use: a number, then the last component of `stem`, then
 * `ending`. The name is valid until release. NULL with the reason in `error`. */
const char *scratch_name(Scratch *scratch, const char *stem, const char *ending, Error *error);

/* Writes a file, there or elsewhere; replaces an old one. */
bool scratch_write(const char *path, const char *bytes, size_t size, Error *error);

/* Removes the named files and the directory. */
void scratch_release(Scratch *scratch);

#endif
