/* runner.h - what explores slices of a search for a worker
 *
 * A worker (worker.h) talks to the store and has slices explored by a runner: a process of the
 * program under test (app/tasks/task_serve.c), or something that stands for one in tests and
 * simulations. The runner is the worker's clock too, so that these can have their own.
 */
#ifndef DIST_RUNNER_H
#define DIST_RUNNER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

typedef enum RunnerEvent {
    RUNNER_NOTHING,   /* the time is over                                         */
    RUNNER_RESULT,    /* of the slice                                             */
    RUNNER_INSERTION, /* something has to be explored above a job; wants an answer */
    RUNNER_GONE
} RunnerEvent;

typedef struct Runner Runner;
typedef struct RunnerOps {
    /* Starts it and waits until it is ready. */
    bool (*start)(Runner *runner, Error *error);
    /* Ends it at once, if it is there; it forgets everything. */
    void (*stop)(Runner *runner);
    bool (*explore)(Runner *runner, const Text *slice);
    /* The slice is to end soon. */
    void (*end_slice)(Runner *runner);
    RunnerEvent (*await)(Runner *runner, double seconds, Text *payload);
    /* To an insertion: "done", "stale", "gone". */
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
    const char *directory; /* where it runs */
} RunnerProgram;

Runner *runner_create_process(const RunnerProgram *program);

#endif
