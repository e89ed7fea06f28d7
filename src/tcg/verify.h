/* verify.h - runs a test on a model: is its end as expected?
 *
 * The start state, the schedule and all inputs are fixed, so there is one execution.
 */
#ifndef TCG_VERIFY_H
#define TCG_VERIFY_H

#include "abs/program/program_abs.h"
#include "tcg/script.h"

typedef enum TestVerdict {
    TEST_PASSED,
    TEST_FAILED,          /* the model behaves differently                 */
    TEST_BROKEN           /* the test does not fit the model: names, types */
} TestVerdict;

/* Adds the differences to `reason`, one line each. The program has no bounds and plain_inputs (AbsOptions); `suite`
 * contains the text of the test. */
TestVerdict verify_test(AbsProgram *program, const Model *suite, const TestScript *test, Text *reason);

#endif
