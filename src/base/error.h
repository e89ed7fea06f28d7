/* error.h - an error for the user: an exit code and a sentence */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

/* Exit codes of the tool (documented in the README). */
typedef enum ExitCode {
    EXIT_CLEAN = 0,        /* everything within the stated bounds was explored, no bug */
    EXIT_BUG = 1,
    EXIT_USAGE = 2,        /* usage or compile error                                   */
    EXIT_BUDGET = 3,       /* a budget ran out, no bug                                 */
    EXIT_DIVERGED = 4,     /* the program is nondeterministic, or a replay differs     */
    EXIT_INTERNAL = 5,
    EXIT_INTERRUPTED = 130
} ExitCode;

typedef struct Error {
    ExitCode code;
    char text[512];
} Error;

/* Fills `error` (if not NULL) and returns false, for `return error_set(...)`. */
bool error_set(Error *error, ExitCode code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
