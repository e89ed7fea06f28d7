/* coverage.h - the coverage of a C program, read from the runtime */
#ifndef SUBJECT_C_COVERAGE_H
#define SUBJECT_C_COVERAGE_H

#include "app/run/subject.h"

/* Subject.read_coverage and count_branches: the runtime has what they answer. */
bool coverage_read(SearchRecord *record, CodeCoverage *coverage);
void coverage_count_branches(SearchRecord *record, uint32_t *ways, uint32_t *taken);

#endif
