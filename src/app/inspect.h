/* inspect.h - from a replayed execution to what reports show of its bug */
#ifndef APP_INSPECT_H
#define APP_INSPECT_H

#include "app/runinfo.h"
#include "report/bugview.h"

/* Describes the bug of a replayed execution: its trace, the threads, who was where with
 * which calls and locks. The view owns its trace. */
BugView *inspect_bug(Program *program, const Execution *ex, const Finding *finding, const RunInfo *info);

/* A view of a trace that was not replayed; takes over the trace. */
BugView *inspect_trace(Trace *trace);

void bugview_destroy(BugView *view);

#endif
