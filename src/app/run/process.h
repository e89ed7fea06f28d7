/* process.h - signals and child processes of the supervisor */
#ifndef APP_RUN_PROCESS_H
#define APP_RUN_PROCESS_H

#include <sys/types.h>

#include "app/run/runinfo.h"

/* SIGINT, SIGTERM, SIGHUP and SIGCHLD arrive here instead of interrupting code. */
typedef struct Signals {
    int fd;
    unsigned interrupts; /* how often one of the first three came */
} Signals;

bool signals_open(Signals *signals, Error *error);
void signals_close(Signals *signals);
/* Waits up to `milliseconds` for a signal and notes it. */
void signals_wait(Signals *signals, int milliseconds);

/* In a child process, right after fork: its signals are its own again, except that Ctrl-C
 * and requests to end from elsewhere are left to the supervisor; it dies with the supervisor. */
void process_become_child(const Signals *signals);

/* Seconds of a clock that never jumps. */
double process_now(void);
/* Seconds of the processor that this process and its children that ended have used. */
double process_cpu_seconds(void);

/* What a child process left. */
typedef struct ChildResult {
    int status;         /* of waitpid                            */
    bool timed_out;     /* it was killed                         */
    Text output;        /* of its standard output                */
    Text errors;        /* of its standard error                 */
    Text result;        /* of the file descriptor --result-fd    */
} ChildResult;

/* Runs the test binary afresh, with `options` (a text for SENNIT_OPTIONS) and the program's
 * arguments, for at most `limit` seconds; an interrupt meanwhile ends it too. */
bool process_run_self(const RunInfo *info, const char *options, double limit, Signals *signals, ChildResult *result,
                      Error *error);
void childresult_release(ChildResult *result);

/* A file in memory, empty, for a child to write to. -1 if the system has none. */
int process_open_memory(const char *name);

#endif
