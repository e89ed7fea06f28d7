/* inspect.h - views of bugs, as far as they are the same for all kinds of programs */
#ifndef APP_RUN_INSPECT_H
#define APP_RUN_INSPECT_H

#include "app/run/runinfo.h"
#include "report/bugview.h"

/* The number of the thread with this path; the thread is added if it is new. */
uint32_t bugview_add_thread(BugView *view, const char *path, const char *name);

/* A view of a trace that was not replayed. Takes ownership of the trace. */
BugView *inspect_trace(Trace *trace, const RunInfo *info);

/* Also destroys the trace. NULL is ignored. */
void bugview_destroy(BugView *view);

#endif
