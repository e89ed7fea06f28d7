/* runner.h - what explores slices of a search for a worker
 *
 * A worker (worker.h) talks to the store and lets a runner explore slices: a process of the program under test
 * (app/tasks/task_serve.c), or a substitute in tests and simulations. The runner is the worker's clock too, so that
 * these can use virtual time.
 */
#ifndef DIST_RUNNER_H
#define DIST_RUNNER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

typedef enum RunnerEvent {
    RUNNER_NOTHING,   /* nothing happened within the time                             */
    RUNNER_RESULT,    /* the payload is the result of the slice                       */
    RUNNER_INSERTION, /* the payload is an insertion above a job; it needs an answer  */
    RUNNER_GONE       /* the runner has died                                          */
} RunnerEvent;

typedef struct Runner Runner;
typedef struct RunnerOps {
    /* Starts the runner and waits until it is ready. */
    bool (*start)(Runner *runner, Error *error);
    /* Kills the runner, if it is running; its state is lost. */
    void (*stop)(Runner *runner);
    /* Begins a slice (core/tree/slice.h). False if the runner has died. */
    bool (*explore)(Runner *runner, const Text *slice);
    /* Asks the runner to end the slice soon. */
    void (*end_slice)(Runner *runner);
    /* Waits for an event, at most for `seconds`. */
    RunnerEvent (*await)(Runner *runner, double seconds, Text *payload);
    /* Answers an insertion: "done", "stale", "gone". False if the runner has died. */
    bool (*answer)(Runner *runner, const char *word, const Text *payload);
    double (*now)(Runner *runner);
    void (*rest)(Runner *runner, double seconds);
    void (*destroy)(Runner *runner);
} RunnerOps;

struct Runner {
    const RunnerOps *ops;
    bool running;
};

/* How to start a process that explores. */
typedef struct RunnerProgram {
    const char *path;
    char **argv;
    const char *options;   /* for SENNIT_OPTIONS; the sockets are added */
    const char *directory; /* its working directory                     */
} RunnerProgram;

/* The program is borrowed. */
Runner *runner_create_process(const RunnerProgram *program);

#endif
