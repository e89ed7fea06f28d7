/* unit_suite.h - runs the tests of suites (unit_tests.h): each is explored in a process of its own */
#ifndef SUBJECT_ABS_UNIT_SUITE_H
#define SUBJECT_ABS_UNIT_SUITE_H

#include "base/error.h"
#include "report/ci/junit.h"
#include "subject/abs/suite_abs.h"

/* Runs them and adds the results, whose names and reasons are to be freed. False if the model has errors; true without
 * results if it has no suites. */
bool unit_suite_run(const SuiteRequest *request, JunitCases *cases, uint32_t *passed, Error *error);

#endif
