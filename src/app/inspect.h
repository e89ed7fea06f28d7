/* inspect.h - from a replayed execution to what reports show of its bug */
#ifndef APP_INSPECT_H
#define APP_INSPECT_H

#include "report/bugview.h"

/* Describes the bug of a replayed execution: its trace, the threads, who was where with
 * which calls and locks. `binary` is the file with the debug information for calls.
 * The view owns its trace. */
BugView *inspect_bug(Program *program, const Execution *ex, const Finding *finding, const char *binary);

/* A view of a trace that was not replayed; takes over the trace. */
BugView *inspect_trace(Trace *trace);

void bugview_destroy(BugView *view);

#endif
