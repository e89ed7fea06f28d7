/* subject_c.h - the C program of a test binary as a subject of the app */
#ifndef SUBJECT_C_SUBJECT_C_H
#define SUBJECT_C_SUBJECT_C_H

#include "app/run/subject.h"

extern const Subject subject_c;

/* Members of subject_c (app/run/subject.h says what they do), in inspect_c.c, task_plain.c and deadlock_c.c. */
BugView *inspect_c(Program *program, const Execution *ex, const Finding *finding, const RunInfo *info);
int task_plain(const RunInfo *info);
int task_deadlock(RunInfo *info);

/* A place for breakpoints of debuggers: called in the thread when a step begins. `position` counts from 0. The
 * name stays global in test binaries. */
void sennit_replay_step(uint32_t position);
/* The same when a bug is detected; `text` describes it. */
void sennit_replay_bug(const char *text);

#endif
