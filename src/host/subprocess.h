/* subprocess.h - running other programs and waiting for them
 *
 * While a program runs, an interrupt from the terminal or a request to terminate is recorded instead of ending this
 * process, so that temporary files can be removed.
 */
#ifndef HOST_SUBPROCESS_H
#define HOST_SUBPROCESS_H

#include <stdbool.h>

#include "base/error.h"

typedef struct Subprocess {
    int status; /* exit code, or 128 + signal */
    int signal; /* which signal arrived meanwhile, or 0 */
    bool late;  /* it was ended at its deadline */
} Subprocess;

/* Runs argv[0] (a path) to its end. False if it cannot be started. */
bool subprocess_run(const char *const *argv, Subprocess *result, Error *error);
/* The same with its output and messages discarded. */
bool subprocess_run_quietly(const char *const *argv, Subprocess *result, Error *error);
/* The same, but ended with all its own processes at `deadline` (of subprocess_now; 0: none). */
bool subprocess_run_until(const char *const *argv, bool quiet, double deadline, Subprocess *result, Error *error);
double subprocess_now(void);

/* Ends this process as if `signal` had not been caught. */
_Noreturn void subprocess_die_of(int signal);

#endif
