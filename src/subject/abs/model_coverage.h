/* model_coverage.h - the coverage of a search: lines, functions and outcomes of decisions of a model */
#ifndef SUBJECT_ABS_MODEL_COVERAGE_H
#define SUBJECT_ABS_MODEL_COVERAGE_H

#include "abs/run/marks.h"
#include "report/coverage.h"
#include "subject/abs/decision_coverage.h"

/* Adds the points of the model and sorts them. Only what the user wrote counts, and only code that exists: functions
 * that no code calls have none. */
void model_coverage_read(AbsProgram *program, const Marks *marks, const DecisionCoverage *decisions,
                         CodeCoverage *coverage);

#endif
