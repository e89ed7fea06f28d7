/* tighten.h - inputs at the edges of a path
 *
 * All inputs of a path take it, but those at its edges show more: with n = 50 and n = 51 tests of
 * `n > 50` notice if it becomes `n >= 50` or `n > 51`.
 */
#ifndef TCG_TIGHTEN_H
#define TCG_TIGHTEN_H

#include "abs/program/program_abs.h"
#include "tcg/testcase.h"

/* Gives the inputs of a test other values that take the same path, such that as many comparisons
 * of numbers on it as possible (the first ones first) would come out otherwise if a side
 * changed by one. False if the values stay as they are. */
bool tighten_inputs(AbsProgram *program, TestCase *test);

#endif
