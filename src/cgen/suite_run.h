/* suite_run.h - `sennit test-suite` for C functions: compiles and runs NAME_tests.c on the source as it is now */
#ifndef CGEN_SUITE_RUN_H
#define CGEN_SUITE_RUN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SuiteRun {
    const char *const *paths; /* suites, and directories with them              */
    uint32_t path_count;
    const char *junit;        /* where results go as JUnit XML; NULL: nowhere   */
    bool quiet;               /* show only tests that do not pass               */
    bool stop;                /* at the first test that does not pass           */
} SuiteRun;

/* Is one of the paths a suite of a C function, or a directory with one? */
bool suite_run_is_wanted(const char *const *paths, uint32_t count);

/* Runs the tests. Answers the exit code: 0 all passed, 1 some did not, 2 none could be run. */
int suite_run(const SuiteRun *request);

#endif
