/* worker.h - a machine's part in a search: takes jobs, has them explored, commits what is left
 *
 * Splitting (docs/design/distribution.md): a slice of work lasts longer the better the store
 * is filled, and ends early when other workers have nothing to do. What a slice leaves is
 * committed in one piece.
 */
#ifndef DIST_WORKER_H
#define DIST_WORKER_H

#include "dist/runner.h"
#include "dist/store.h"

typedef struct WorkerSettings {
    uint32_t jobs;         /* processes that explore                              */
    double lease;          /* seconds without a sign of life before jobs are lost */
    double max_time;       /* 0: until the search is over                         */
    uint64_t max_execs;    /* of the search; 0: no limit                          */
    bool keep_going;       /* a bug does not end the search                       */
    bool verbose;
    uint64_t seed;         /* for the moments at which it gives work away          */
} WorkerSettings;

typedef enum WorkerEnd {
    WORKER_OVER,           /* the search is over, or was stopped */
    WORKER_TIME,           /* its own time is over               */
    WORKER_INTERRUPTED,
    WORKER_FAILED          /* `error` says why                   */
} WorkerEnd;

/* `*interrupted` may be set by a signal handler: the slice in hand is committed first. */
WorkerEnd worker_run(Store *store, Runner *runner, const WorkerSettings *settings, const volatile int *interrupted,
                     Error *error);

/* ---- The rules of splitting (split.c) ---- */

/* How long the next slice should be. */
double worker_next_slice(double slice, const StoreState *state);
/* Should a slice that has lasted `seconds` be ended, so that others get work? `lot` is a random
 * number from 0 to 1: not all need to do it. */
bool worker_should_yield(const StoreState *state, double seconds, double lot);
/* How many jobs to ask for when `held` are left. */
uint32_t worker_want(const StoreState *state, uint32_t jobs, uint32_t held);
/* How many of the jobs that one was split into, the deep ones first, to go on with. */
uint32_t worker_keep(const StoreState *state, uint32_t jobs, const StoreEntries *parts);
/* How many of the jobs that were not begun to keep: the first ones. */
uint32_t worker_keep_untouched(const StoreState *state, uint32_t jobs, uint32_t untouched);
/* Seconds between two looks at the store while a slice runs; the longest between two attempts to
 * get work. */
double worker_interval(const StoreState *state, double lease);
double worker_pause(const StoreState *state);

#endif
