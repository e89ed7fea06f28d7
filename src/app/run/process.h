/* process.h - signals and child processes of the supervisor */
#ifndef APP_RUN_PROCESS_H
#define APP_RUN_PROCESS_H

#include <sys/types.h>

#include "app/run/runinfo.h"

/* SIGINT, SIGTERM, SIGHUP and SIGCHLD arrive here instead of interrupting code. */
typedef struct Signals {
    int fd;
    unsigned interrupts; /* how many of the first three arrived */
} Signals;

/* Blocks the signals and starts to collect them. */
bool signals_open(Signals *signals, Error *error);
void signals_close(Signals *signals);
/* Waits up to `milliseconds` for signals and counts them. */
void signals_wait(Signals *signals, int milliseconds);

/* In a child, right after fork: it dies with its parent, also if that has died already. */
void process_die_with(pid_t parent);
/* Forks a child that dies with this process. It has signals of its own again, except that Ctrl-C and requests from
 * other processes to terminate are left to the supervisor. */
pid_t process_fork(const Signals *signals);

/* Seconds of a monotonic clock. */
double process_now(void);
/* CPU seconds that this process and its terminated children have used. */
double process_cpu_seconds(void);

/* The number of cores that this process may use. */
uint32_t process_count_cores(void);

/* What is left of a child process. */
typedef struct ChildResult {
    int status;         /* of waitpid                            */
    bool timed_out;     /* it was killed at the limit or by an interrupt */
    Text output;        /* of its standard output                */
    Text errors;        /* of its standard error                 */
    Text result;        /* of the file descriptor --result-fd    */
} ChildResult;

/* Runs the test binary in a fresh process, with `options` (a text for SENNIT_OPTIONS) and the program's
 * arguments, and waits for it; kills it after `limit` seconds or at an interrupt. False if no process could
 * be started. The caller releases the result in both cases. */
bool process_run_self(const RunInfo *info, const char *options, double limit, Signals *signals, ChildResult *result,
                      Error *error);
void childresult_release(ChildResult *result);

/* An empty file in memory for a child to write to; its descriptor, or -1. */
int process_open_memory(const char *name);

#endif
