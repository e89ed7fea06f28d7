/* generate_cover.h - the lines and decisions of a model that a suite reaches, as `sennit cov` shows them */
#ifndef SUBJECT_ABS_GENERATE_COVER_H
#define SUBJECT_ABS_GENERATE_COVER_H

#include "abs/program/program_abs.h"
#include "abs/run/start.h"
#include "report/coverage.h"
#include "tcg/testcase.h"

/* Executes the tests again, each from its start state; the caller releases the coverage. Afterwards the program must
 * not be used for anything else: it records what it executes. */
void generate_cover(AbsProgram *program, StartState *const *starts, const TestSuite *suite, CodeCoverage *coverage);

#endif
