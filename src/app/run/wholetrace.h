/* wholetrace.h - a finished execution as a trace: up to its first bug, or to its end */
#ifndef APP_RUN_WHOLETRACE_H
#define APP_RUN_WHOLETRACE_H

#include "app/run/subject.h"

/* The caller owns it. While the final state of the execution still exists. */
Trace *wholetrace_create(const RunInfo *info, Program *program, const Execution *ex);

#endif
