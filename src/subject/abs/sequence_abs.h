/* sequence_abs.h - an execution of a model as a sequence for reports */
#ifndef SUBJECT_ABS_SEQUENCE_ABS_H
#define SUBJECT_ABS_SEQUENCE_ABS_H

#include "abs/program/program_abs.h"
#include "base/arena.h"
#include "report/sequence.h"

/* The first `length` steps of the last execution of the program. Everything is in the arena. */
Sequence *sequence_of_execution(AbsProgram *program, const Execution *ex, uint32_t length, Arena *arena);

/* Marks the tasks of a deadlock. */
void sequence_mark_tasks(AbsProgram *program, Sequence *sequence, const AgentId *tasks, uint32_t count);

/* What a task waits for: "Worker_1.ping"; NULL if nothing. In the arena. */
const char *sequence_awaited(AbsProgram *program, const Task *task, Arena *arena);

#endif
