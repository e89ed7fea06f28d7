/* worker.h - the part of one machine in a shared search: takes jobs, lets a runner explore them, commits the results
 *
 * Splitting (docs/design/distribution.md): a slice lasts longer the more jobs are queued, and ends early when other
 * workers are idle. The results of a slice are committed as a whole.
 */
#ifndef DIST_WORKER_H
#define DIST_WORKER_H

#include "dist/runner.h"
#include "dist/store.h"

typedef struct WorkerSettings {
    uint32_t jobs;         /* processes that explore                              */
    double lease;          /* seconds without a call before its jobs are lost     */
    double max_time;       /* 0: until the search ends                            */
    bool keep_going;       /* a bug does not end the search                       */
    bool verbose;
    uint64_t seed;         /* for the random decisions to end slices early        */
} WorkerSettings;

typedef enum WorkerEnd {
    WORKER_OVER,           /* the search has ended, or was stopped */
    WORKER_TIME,           /* max_time is used up                  */
    WORKER_INTERRUPTED,
    WORKER_FAILED          /* `error` says why                     */
} WorkerEnd;

/* Works until the search ends. *interrupted may be set by a signal handler: the slice in hand is committed first. Store
 * and runner are borrowed; the runner is stopped. */
WorkerEnd worker_run(Store *store, Runner *runner, const WorkerSettings *settings, const volatile int *interrupted,
                     Error *error);

#endif
