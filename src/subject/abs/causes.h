/* causes.h - which steps of an execution have to do with a bug */
#ifndef SUBJECT_ABS_CAUSES_H
#define SUBJECT_ABS_CAUSES_H

#include "abs/program/program_abs.h"
#include "report/sequence.h"

/* Sets `aside` for the steps of the sequence that do not happen before the bug: before the last steps of its tasks, or
 * before those that assigned last what the condition of a stuck task reads. */
void causes_mark(AbsProgram *program, const Execution *ex, const Finding *finding, Sequence *sequence);

#endif
