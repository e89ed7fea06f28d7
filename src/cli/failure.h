/* failure.h - a verb that ends before there is a run */
#ifndef CLI_FAILURE_H
#define CLI_FAILURE_H

#include "app/options/options.h"

/* Tells the error on standard error, and in the files for build servers, where results of an earlier run would look
 * like those of this one. `name` is that of the program, or NULL. Returns the exit code. */
int failure_tell(const char *verb, Options *options, const char *name, int argc, char **argv, const Error *error);

#endif
