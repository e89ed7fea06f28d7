/* stuck.h - why a task waits for its condition forever: the fields it reads, and who could have changed them */
#ifndef SUBJECT_ABS_STUCK_H
#define SUBJECT_ABS_STUCK_H

#include "abs/program/program_abs.h"

/* Adds " (free = False; assigned in take (1 task ended), putBack (no task))": the values of the fields that the
 * condition of the task reads, the methods of its object that assign to them, and what became of their tasks. */
void stuck_describe(AbsProgram *program, const Task *task, Text *text);

#endif
