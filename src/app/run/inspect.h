/* inspect.h - what reports show of a bug, as far as it is the same for all programs */
#ifndef APP_RUN_INSPECT_H
#define APP_RUN_INSPECT_H

#include "app/run/runinfo.h"
#include "report/bugview.h"

/* The number of the thread with this path, added if it is new. */
uint32_t bugview_add_thread(BugView *view, const char *path, const char *name);

/* A view of a trace that was not replayed; takes over the trace. */
BugView *inspect_trace(Trace *trace, const RunInfo *info);

void bugview_destroy(BugView *view);

#endif
