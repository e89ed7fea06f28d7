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

/* ---- The rules of splitting (split.c) ---- */

/* The duration of the next slice. */
double worker_next_slice(double slice, const StoreState *state);
/* Whether a slice that has lasted `seconds` should be ended, so that others get jobs. `lot` is a random number from 0
 * to 1: not all workers need to do it. */
bool worker_should_yield(const StoreState *state, double seconds, double lot);
/* How many jobs to request when `held` are left. */
uint32_t worker_want(const StoreState *state, uint32_t jobs, uint32_t held);
/* How many of the jobs into which one was split, the deep ones first, to continue with. */
uint32_t worker_keep(const StoreState *state, uint32_t jobs, const StoreEntries *parts);
/* How many of the jobs that were not begun to keep (the first ones). */
uint32_t worker_keep_untouched(const StoreState *state, uint32_t jobs, uint32_t untouched);
/* Seconds between two calls of the store while a slice runs, and at most between two attempts to get jobs. */
double worker_interval(const StoreState *state, double lease);
double worker_pause(const StoreState *state);

#endif
