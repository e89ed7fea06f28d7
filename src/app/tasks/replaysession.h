/* replaysession.h - a trace, the program it belongs to, and one execution along it
 *
 * A C program runs in a process of its own, since it may kill it; the execution and the result are in shared memory.
 */
#ifndef APP_TASKS_REPLAYSESSION_H
#define APP_TASKS_REPLAYSESSION_H

#include "app/search/stage.h"
#include "app/tasks/replay.h"

typedef struct ReplaySession {
    RunInfo *info;
    Trace *trace;
    Stage stage;
    Execution *ex;
    Replay replay;
    Picker *picker;    /* that of the replay, or one that asks it */
    Text output;       /* what the program printed      */
    int status;        /* of the process that ran it    */
} ReplaySession;

/* Reads the trace of the options, checks that it belongs to the program, and sets the program up. */
bool replaysession_open(ReplaySession *session, RunInfo *info, StagePurpose purpose, Error *error);

/* Runs the execution. */
bool replaysession_run(ReplaySession *session, Error *error);

/* Says how the execution differs from the trace; returns the exit code. */
ExitCode replaysession_differ(const ReplaySession *session);

#endif
