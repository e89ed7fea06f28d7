/* enginerunner.h - a runner in virtual time that explores with the real engine */
#ifndef SIM_ENGINERUNNER_H
#define SIM_ENGINERUNNER_H

#include "base/region.h"
#include "base/rng.h"
#include "core/explore.h"
#include "core/tree/slice.h"
#include "simrunner.h"

enum { ENGINE_EXPLORERS = 3 };

typedef struct EngineLink {
    JobsLink link;
    struct EngineRunner *runner;
} EngineLink;

typedef struct EngineRunner {
    SimRunner sim;          /* first: the runner is this               */
    Program *program;
    ExploreOptions options; /* of the search                           */
    ExploreObserver *observer; /* may be NULL                          */
    double seconds;         /* of an execution                         */
    double probe_seconds;   /* of a partial one                        */
    uint32_t batch;         /* executions before others can do anything */
    uint32_t explorers;     /* processes that share the machine's jobs */
    Rng rng;
    Region *region;
    Jobs *jobs;
    Explore *explore[ENGINE_EXPLORERS];
    EngineLink link;
    SliceJobs held;
    ExploreStats before;
    /* The runner is closed: what was explored and not handed in does not count. May be NULL. */
    void (*forgot)(struct EngineRunner *runner);
    const char *problem;    /* the program diverged, ... */
} EngineRunner;

void enginerunner_init(EngineRunner *runner, World *world, Program *program, double seconds, uint32_t explorers, uint64_t seed);
void enginerunner_release(EngineRunner *runner);

#endif
