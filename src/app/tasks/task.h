/* task.h - the tasks of a test binary, each a function that returns the exit code */
#ifndef APP_TASKS_TASK_H
#define APP_TASKS_TASK_H

#include "app/run/runinfo.h"

/* Searches, confirms bugs, reports. */
ExitCode task_explore(const RunInfo *info);
/* Explores jobs of a shared search, for `sennit worker`. */
ExitCode task_serve(const RunInfo *info);
/* Repeats the execution of a trace and describes its bug. */
ExitCode task_replay(RunInfo *info);
/* Shows the whole execution of a trace, or one that leaves it at some step (--instead). */
ExitCode task_show(RunInfo *info);
/* Repeats the execution of a trace in this process, for a debugger. */
ExitCode task_debug(RunInfo *info);
/* Looks for a schedule with fewer preemptions and writes its trace to --result-fd. */
ExitCode task_minimise(RunInfo *info);
/* Looks for a change of memory orders that removes the bug of a trace and writes a sentence to --result-fd. */
ExitCode task_suggest(RunInfo *info);
/* Finds the step of a failing trace after which no continuation passes, and the nearest execution that passes. */
ExitCode task_critical(RunInfo *info);
/* Prints the number of executions per CPU second when one schedule is repeated without any search. */
ExitCode task_floor(const RunInfo *info);

/* Prints the error to standard error and returns its code. */
ExitCode task_fail(const RunInfo *info, const Error *error);

#endif
