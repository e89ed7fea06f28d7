/* summary_c.h - what only C programs add to the summary of a run: solver, concretised values */
#ifndef SUBJECT_C_SUMMARY_C_H
#define SUBJECT_C_SUMMARY_C_H

#include "core/program.h"
#include "report/summary.h"

/* See Subject.summarise. */
void summary_c_add(Program *program, Summary *summary);

#endif
