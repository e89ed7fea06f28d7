/* tighten.h - boundary values of a path
 *
 * Of all inputs that lead along a path, boundary values detect more errors: with n = 50 and n = 51, tests of `n > 50`
 * fail if it becomes `n >= 50` or `n > 51`.
 */
#ifndef TCG_TIGHTEN_H
#define TCG_TIGHTEN_H

#include "abs/program/program_abs.h"
#include "tcg/testcase.h"

/* Changes the inputs of a test to values with the same path for which as many comparisons of numbers on it as possible
 * (the first ones first) would have the other outcome if a side changed by one. False if the values are unchanged. */
bool tighten_inputs(AbsProgram *program, TestCase *test);

#endif
