/* model_internal.h - what the files of the ABS subject share */
#ifndef MODEL_MODEL_INTERNAL_H
#define MODEL_MODEL_INTERNAL_H

#include "abs/program_abs.h"
#include "app/subject.h"

/* ---- Bugs (inspect_abs.c) ---- */

BugView *inspect_abs(Program *program, const Execution *ex, const Finding *finding, const RunInfo *info);

#endif
