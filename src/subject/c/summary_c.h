/* summary_c.h - what the summary of a run says about the inputs of a C program */
#ifndef SUBJECT_C_SUMMARY_C_H
#define SUBJECT_C_SUMMARY_C_H

#include "core/program.h"
#include "report/summary.h"

/* See Subject.summarise. */
void summary_c_add(Program *program, Summary *summary);

#endif
