/* path.h - names of files */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>

#include "base/text.h"

/* Adds `path` as seen from a directory; both must exist, else `path` is added as it is. */
void path_add_relative(const char *directory, const char *path, Text *text);

#endif
