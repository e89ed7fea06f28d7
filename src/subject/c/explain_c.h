/* explain_c.h - what weak memory had to do with a bug, in sentences */
#ifndef SUBJECT_C_EXPLAIN_C_H
#define SUBJECT_C_EXPLAIN_C_H

#include "report/bugview.h"

/* Adds to `view` which steps of the replayed execution took old values, which stores they missed, why they were allowed
 * to, and what would forbid it. Nothing under sequential consistency. */
void explain_c(Program *program, const Execution *ex, const Finding *finding, BugView *view);

#endif
