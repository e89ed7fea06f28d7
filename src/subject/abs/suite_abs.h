/* suite_abs.h - `sennit test-suite`: runs tests on a model */
#ifndef SUBJECT_ABS_SUITE_ABS_H
#define SUBJECT_ABS_SUITE_ABS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SuiteRequest {
    const char *const *paths; /* files and directories with tests, files of the model */
    uint32_t path_count;
    const char *junit;        /* where results go as JUnit XML; NULL: nowhere         */
    bool quiet;               /* show only tests that do not pass                     */
    bool stop;                /* at the first test that does not pass                 */
} SuiteRequest;

/* Runs the tests. Answers the exit code: 0 all passed, 1 some did not, 2 none could be run. */
int model_test_suite(const SuiteRequest *request);

/* Are there tests in one of these files? */
bool model_has_tests(const char *const *paths, uint32_t count);

#endif
