/* path.h - names of files */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>

#include "base/text.h"

/* Adds `path` relative to a directory; if one of them does not exist, adds `path` unchanged. */
void path_add_relative(const char *directory, const char *path, Text *text);

#endif
