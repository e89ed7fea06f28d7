/* repetition.h - the execution of a trace, repeated in this process, to work on its bug */
#ifndef APP_TASKS_REPETITION_H
#define APP_TASKS_REPETITION_H

#include "app/run/runinfo.h"
#include "app/search/stage.h"
#include "app/tasks/replay.h"

typedef struct Repetition {
    Trace *trace;
    Stage stage;
    Replay replay;
    Execution *ex;
    const Finding *finding; /* the bug, as it was seen again; NULL: it was not */
} Repetition;

/* Repeats the execution of --trace, with the options of the trace. `fragile`: other executions may kill this process,
 * whatever the bug of the trace is. Lives as long as the process. */
bool repetition_open(Repetition *repetition, RunInfo *info, bool fragile, Error *error);

#endif
