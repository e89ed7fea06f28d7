/* runner.h - a process that explores slices of a search for us (app/task_serve.c) */
#ifndef DIST_RUNNER_H
#define DIST_RUNNER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/channel.h"
#include "base/error.h"

/* How to start it. */
typedef struct RunnerProgram {
    const char *path;
    char **argv;
    const char *options;   /* for SENNIT_OPTIONS; the sockets are added */
    const char *directory; /* where it runs */
} RunnerProgram;

typedef struct Runner {
    pid_t pid;             /* 0: none                                  */
    int control;           /* slices and results                       */
    int insertions;        /* requests of its workers while they run   */
} Runner;

/* Starts it and waits until it is ready. */
bool runner_start(Runner *runner, const RunnerProgram *program, Error *error);
/* Kills it, if it is there. */
void runner_stop(Runner *runner);

#endif
