/* verify.h - runs a test on a model: does it still end as it did?
 *
 * The start state, the schedule and all inputs are given, so there is one execution.
 */
#ifndef TCG_VERIFY_H
#define TCG_VERIFY_H

#include "abs/program/program_abs.h"
#include "tcg/script.h"

typedef enum TestVerdict {
    TEST_PASSED,
    TEST_FAILED,          /* the model behaves in another way                   */
    TEST_BROKEN           /* the test does not fit the model: names, types      */
} TestVerdict;

/* Adds to `reason` what is different, one line each. The program has no limits and plain
 * inputs (AbsOptions); `suite` has the text of the test. */
TestVerdict verify_test(AbsProgram *program, const Model *suite, const TestScript *test, Text *reason);

#endif
