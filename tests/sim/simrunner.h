/* simrunner.h - a runner in virtual time: how one talks to a worker; what it explores is a plug-in
 *
 * It explores in a task of its own, so that the worker can look at the store meanwhile.
 */
#ifndef SIM_SIMRUNNER_H
#define SIM_SIMRUNNER_H

#include <stdint.h>

#include "dist/runner.h"
#include "world.h"

typedef struct SimRunner SimRunner;

/* What explores. */
typedef struct SimWork {
    /* Begins with nothing known; and forgets everything. */
    void (*open)(SimRunner *runner);
    void (*close)(SimRunner *runner);
    /* In the runner's task: explores the slice, with simrunner_continue after every piece; writes the
     * result. False: there is none, the runner is broken or was stopped. */
    bool (*explore)(SimRunner *runner, const Text *slice, Text *result);
} SimWork;

struct SimRunner {
    Runner runner;         /* first: the runner is this */
    World *world;
    const SimWork *work;
    Task *worker, *explorer;
    Text slice, result, request, answer;
    char answer_word[16];
    bool has_result, has_request, has_answer, broken;
    bool release;          /* the slice is to end early */
    bool cancelled;        /* it is to end now, without a result */
    double begun;          /* the slice                 */
    double idle;           /* seconds in which the worker rested */
};

void simrunner_init(SimRunner *runner, World *world, const SimWork *work);
void simrunner_release(SimRunner *runner);

/* In the runner's task: lets time pass; whether the slice should continue. */
bool simrunner_continue(SimRunner *runner, double seconds, double slice);
/* Asks the worker for an insertion; 1, 0, -1 as JobsLink wants it. */
int simrunner_extend(SimRunner *runner, uint64_t domain, uint32_t known, const char *entries, Text *news);

#endif
