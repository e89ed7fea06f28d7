/* task.h - what a test binary does, each as one function that answers the exit code */
#ifndef APP_TASKS_TASK_H
#define APP_TASKS_TASK_H

#include "app/run/runinfo.h"

/* Searches, confirms, reports. */
ExitCode task_explore(const RunInfo *info);
/* Works on the jobs of a store, for `sennit worker`. */
ExitCode task_serve(const RunInfo *info);
/* Repeats the execution of a trace and describes its bug. */
ExitCode task_replay(RunInfo *info);
/* The same in this process, for a debugger. */
ExitCode task_debug(RunInfo *info);
/* Looks for a schedule with fewer preemptions and writes its trace to --result-fd. */
ExitCode task_minimise(RunInfo *info);
/* Prints how many executions per CPU second repeating one schedule reaches. */
ExitCode task_floor(const RunInfo *info);

/* Says what is wrong on standard error and answers the code. */
ExitCode task_fail(const Error *error);

#endif
