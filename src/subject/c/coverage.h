/* coverage.h - the coverage of a C program, read from the runtime */
#ifndef SUBJECT_C_COVERAGE_H
#define SUBJECT_C_COVERAGE_H

#include "report/coverage.h"

/* Subject.read_coverage and count_branches. */
bool coverage_read(CodeCoverage *coverage);
void coverage_count_branches(uint32_t *ways, uint32_t *taken);

#endif
