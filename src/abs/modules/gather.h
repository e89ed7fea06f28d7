/* gather.h - the files of a model: those that are given, and those with the modules they import
 *
 * A directory stands for all `.abs` files in it and below it. A module that no given file defines is looked for where
 * reading.h says. If several files of a directory define it, the one with the module's name is taken.
 */
#ifndef ABS_MODULES_GATHER_H
#define ABS_MODULES_GATHER_H

#include "abs/syntax/reading.h"
#include "base/error.h"

/* Adds the files of the model to `files`, the given ones last, since the last main block is run. A module that is not
 * found is left to the checker; a file or directory that cannot be read, and a module that is found twice, are
 * errors. */
bool gather_files(const char *const *given, uint32_t count, const ModelReading *reading, FileNames *files,
                  Error *error);

#endif
