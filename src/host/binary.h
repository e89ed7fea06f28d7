/* binary.h - recognising and starting test binaries */
#ifndef HOST_BINARY_H
#define HOST_BINARY_H

#include <stdbool.h>

#include "app/options/options.h"

/* True if `path` is an executable built with this version of `sennit cc`; otherwise `error` says what it is and what
 * to do. */
bool binary_check(const char *path, Error *error);

/* Replaces this process by the test binary, with the options in SENNIT_OPTIONS; argv[0] is replaced by the path.
 * Returns only on failure. */
void binary_become(const char *path, const char *options, char **argv, Error *error);

/* An argv for binary_become: room for argv[0], then the arguments, which end with NULL and are borrowed. To be
 * freed by the caller. */
char **binary_argv(char **arguments);

/* Adds "--command=..." with the command line as typed, and "--solver=..." if there is one. */
void binary_add_command(Text *options, int argc, char **argv);

#endif
