/* summary_c.h - what only C programs add to the summary of a run: solver, what is not seen */
#ifndef SUBJECT_C_SUMMARY_C_H
#define SUBJECT_C_SUMMARY_C_H

#include "core/program.h"
#include "report/summary.h"

/* See Subject.summarise. */
void summary_c_add(Program *program, Summary *summary);
/* Names what was not seen; once the number of threads is known. */
void summary_c_add_unseen(Program *program, Summary *summary);

#endif
